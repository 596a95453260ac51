import { randomUUID } from 'node:crypto'
import { createServer } from 'node:https'
import type { TLSSocket } from 'node:tls'
import type { Job } from '@vedette/wire'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { createTestAuthority } from '../../../../checks/test-support/certificates.ts'
import { runOnce } from '../../../../checks/test-support/run-once.ts'
import { startTestServers } from '../../../../checks/test-support/servers.ts'
import { givenApi } from '../../../test-support/api.ts'
import { givenCheck } from '../../../test-support/checks.ts'
import { useEmptiedDatabase } from '../../../test-support/database.ts'
import { givenKey } from '../../../test-support/http.ts'
import { forgetChecks, givenPlane, TestAgent, type Plane } from '../../../test-support/plane.ts'

const database = useEmptiedDatabase()
const authority = createTestAuthority()
afterAll(() => authority.remove())
const servers = startTestServers()
let plane: Plane
let agent: TestAgent

beforeEach(async () => {
  await forgetChecks(database.db)
  plane = await givenPlane(database.db)
  agent = new TestAgent(plane, await plane.agents.keys.mintBuiltin('test'))
})
afterEach(async () => {
  await plane.stop()
  await servers.closeAll()
})

interface Given {
  url: string
  accountId?: string
  followRedirects?: boolean
}

const request = {
  method: 'GET',
  skipSSL: false,
  ipFamily: 'IPv4',
  body: '',
  bodyType: 'NONE',
  headers: [],
  queryParameters: [],
  assertions: [],
  basicAuth: null,
}

async function givenRun({ url, accountId, followRedirects = true }: Given) {
  const check = await givenCheck(plane, {
    ...(accountId !== undefined && { accountId }),
    definition: { request: { ...request, url, followRedirects } },
  })
  await plane.dispatch.checkChanged(check.id)
  return check
}

async function leaseOf(checkId: string): Promise<Job> {
  await plane.dispatch.requestRun(checkId, 'SCHEDULE_NOW')
  await plane.clock.advance(0)
  const job = (await agent.lease()).find((one) => one.checkId === checkId)
  if (job === undefined) throw new Error('There is no job.')
  return job
}

/** The API with the certificates of a new account, whose changes this process hears of. */
async function givenCertificates(accountId: string, hosts: readonly string[]) {
  const api = await givenApi(database.db, {
    hooks: { certificatesChanged: (account) => plane.agents.jobs.certificates.forget(account) },
  })
  const key = await givenKey(database.db, accountId, 'write')
  const { cert, key: own } = authority.leaf()
  const create = async (host: string) => {
    const body = { host, cert, key: own, ca: authority.ca }
    const made = await api.call('POST', '/v1/client-certificates', { key, body })
    expect(made.status).toBe(201)
    return `/v1/client-certificates/${String(made.body['id'])}`
  }
  const paths: string[] = []
  for (const host of hosts) paths.push(await create(host))
  return { key: own, paths, remove: (path: string) => api.call('DELETE', path, { key }), close: () => api.app.close() }
}

const hostsOf = (job: Job) => job.clientCertificates?.map(({ host }) => host)

it('a run gets through to a server that requires a client certificate, and its report has no key', async () => {
  const port = await servers.adopt(
    createServer({ ...authority.leaf(), ca: [authority.ca], requestCert: true }, (request, response) => {
      response.end(`welcome, ${String((request.socket as TLSSocket).getPeerCertificate().subject.CN)}`)
    }),
  )
  const check = await givenRun({ url: `https://localhost:${port}/` })
  const run = async () => {
    const job = { ...(await leaseOf(check.id)), egress: { privateTargets: true, deniedTargets: [] } }
    return runOnce(job)
  }
  expect(await run()).toMatchObject({ verdict: { outcome: 'fail' } })
  const { key, close } = await givenCertificates(check.accountId, ['localhost'])
  const report = await run()
  expect(report).toMatchObject({
    verdict: { outcome: 'pass' },
    result: { apiCheckResult: { response: { body: 'welcome, leaf.test' } } },
  })
  expect(JSON.stringify(report)).not.toContain(key.split('\n')[1])
  await close()
})

it('a job has the certificates that its run may need, newest first, and no others', async () => {
  const redirected = await givenRun({ url: 'https://shop.example/' })
  const { accountId } = redirected
  const alone = await givenRun({ accountId, url: 'https://shop.example/', followRedirects: false })
  const { paths, remove, close } = await givenCertificates(accountId, ['*.example', 'shop.test', 'shop.example'])
  expect(hostsOf(await leaseOf(redirected.id))).toEqual(['shop.example', 'shop.test', '*.example'])
  expect(hostsOf(await leaseOf(alone.id))).toEqual(['shop.example', '*.example'])
  await remove(paths[2]!)
  expect(hostsOf(await leaseOf(alone.id))).toEqual(['*.example'])
  const stranger = await givenRun({ url: 'https://shop.example/' })
  expect(await leaseOf(stranger.id)).not.toHaveProperty('clientCertificates')
  await close()
})

it('a key that was sealed for another row makes the run not known, and is not sent', async () => {
  const check = await givenRun({ url: 'https://shop.example/' })
  const { close } = await givenCertificates(check.accountId, ['shop.example'])
  await database.db.pool.query('UPDATE client_certificates SET id = $2 WHERE account_id = $1', [
    check.accountId,
    randomUUID(),
  ])
  await expect(leaseOf(check.id)).rejects.toThrow('There is no job.')
  await close()
})
