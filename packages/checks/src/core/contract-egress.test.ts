import { createServer as createHttpsServer } from 'node:https'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answer, Packet } from 'dns-packet'
import { systemClock, type Job } from '@vedette/wire'
import { neverReached, privateForms, zoneForms } from '../../test-support/address-forms.ts'
import { createTestAuthority } from '../../test-support/certificates.ts'
import { fixtureOf, goodAnswerOf, jobOf, leastDefinition, runnableTypes } from '../../test-support/contract.ts'
import { watchOutside, type Outside } from '../../test-support/outside.ts'
import { publicOnly, startTestServers, trusted } from '../../test-support/servers.ts'
import { systemResolverSettings } from '../net/dns/resolver-files.ts'
import type { ReportBody } from '../run.ts'
import type { AnyCheckType, Definition } from './check-type.ts'
import { createSchema } from './definition/check-schema.ts'

/**
 * Every registered type that agents run is sent where it must not go. It runs as an agent runs it; what its guard lets through
 * is stopped below all code of ours and fails the test.
 */

const port = 8443
const publicAddress = '93.184.216.34'
const metadata = '169.254.169.254'

const servers = startTestServers()
const authority = createTestAuthority()
let outside: Outside
let runJob: (job: Job) => Promise<ReportBody>
let stopPool: () => Promise<void>

beforeAll(async () => {
  outside = watchOutside(
    systemResolverSettings().nameservers.map(({ address, port: at }) => ({ host: address, port: at })),
  )
  // Programs that an earlier test started would not be started anew, and would not be seen.
  vi.resetModules()
  const { AssertionPool, createJobRunner } = await import('../run.ts')
  const pool = new AssertionPool({ clock: systemClock })
  const run = createJobRunner({ pool })
  runJob = (job) => run(job, { signal: new AbortController().signal, clock: systemClock, random: Math.random })
  stopPool = () => pool.stop()
})
afterAll(async () => {
  await stopPool()
  outside.restore()
  authority.remove()
})
beforeEach(() => {
  outside.tried.length = 0
})
afterEach(async () => {
  outside.open.clear()
  outside.nameServerPort = undefined
  await servers.closeAll()
})

/** The value with the family of every request in it, wherever a type keeps it. */
function overFamily(value: unknown, ipFamily: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    name === 'ipFamily' ? ipFamily : overFamily(field, ipFamily),
  ])
  return Object.fromEntries(fields)
}

/** The smallest check of a type at a host, over the family that the host asks for. */
const checkAt = (type: AnyCheckType, host: string, { at = port, ipv6 = host.startsWith('[') } = {}): Definition =>
  overFamily(leastDefinition(type, at, host), ipv6 ? 'IPv6' : 'IPv4') as Definition

/** How a run ended, and what it sent out. */
async function ends(type: AnyCheckType, definition: Definition, more: Partial<Job> = {}) {
  outside.tried.length = 0
  const { error, internalError, verdict } = await runJob(jobOf(type, definition, { timeoutMs: 3000, ...more }))
  const code = internalError?.code ?? error?.code ?? verdict.outcome
  return { code, text: internalError?.text ?? error?.text ?? '', outcome: verdict.outcome, tried: [...outside.tried] }
}

type Policy = Job['egress']

/** What of these hosts did not end as a denial without a packet. */
async function notDenied(type: AnyCheckType, hosts: readonly string[], egress: Policy, codes = ['EGRESS_DENIED']) {
  const wrong: unknown[] = []
  for (const host of hosts) {
    const end = await ends(type, checkAt(type, host), { egress })
    if (!codes.includes(end.code) || end.outcome !== 'fail' || end.tried.length > 0) wrong.push({ host, ...end })
  }
  return wrong
}

type Records = Partial<Record<'A' | 'AAAA', readonly string[]>>

/** Makes a name server that answers each question with the next of these; the last one stays. Counts the questions for A. */
async function givenNames(...answers: Records[]) {
  const asked = { count: 0 }
  outside.nameServerPort = await servers.dns((query: Packet) => {
    const { type = 'A', name = '' } = query.questions?.[0] ?? {}
    const now = answers[Math.min(asked.count, answers.length - 1)] ?? {}
    if (type === 'A') asked.count += 1
    const found = type === 'A' || type === 'AAAA' ? (now[type] ?? []) : []
    return { answers: found.map((data): Answer => ({ type: type as 'A', name, data, ttl: 0 })) }
  })
  return asked
}

const movedTo = (location: string) => `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`

/** A listener of this machine that runs may reach. It answers every request with a redirect to `location`. */
async function givenRedirects() {
  const redirects = { at: 0, heard: 0, location: '' }
  redirects.at = await servers.tcp((socket) => {
    socket.once('data', () => {
      redirects.heard += 1
      socket.end(movedTo(redirects.location), 'latin1')
    })
  })
  outside.open.add(redirects.at)
  return redirects
}

const speaksHttp = (type: AnyCheckType) => String(goodAnswerOf(type).text).startsWith('HTTP/')
const hasPort = (type: AnyCheckType) =>
  JSON.stringify(fixtureOf(type).leastCheck(1)) !== JSON.stringify(fixtureOf(type).leastCheck(2))

describe.each(runnableTypes)('a check of the type %s', (_, type) => {
  const endpoint = (address: string) => (hasPort(type) ? `${address}:${port}` : address)

  it('reaches an allowed address, so that what follows is not denied for another reason', async () => {
    for (const [host, address, egress] of [
      [publicAddress, publicAddress, publicOnly],
      ['[2606:4700::1111]', '2606:4700::1111', publicOnly],
      ['0x0a.1', '10.0.0.1', trusted],
    ] as const) {
      const end = await ends(type, checkAt(type, host), { egress })
      expect(end.code).not.toBe('EGRESS_DENIED')
      expect(end.tried.at(-1)).toContain(endpoint(address))
    }
    await givenNames({ A: [publicAddress] })
    const named = await ends(type, checkAt(type, 'shop.example'), { egress: publicOnly })
    expect(named.tried.at(-1)).toContain(endpoint(publicAddress))
  })

  it('goes to no address that is never reached, in any form, under any policy', async () => {
    expect(await notDenied(type, neverReached, trusted)).toEqual([])
    expect(await notDenied(type, neverReached, publicOnly)).toEqual([])
  })

  it('goes to no private address where only public ones are allowed', async () => {
    const local = ['localhost', 'LOCALHOST.', 'db.localhost']
    expect(await notDenied(type, [...privateForms, ...local], publicOnly)).toEqual([])
  })

  it('takes an address with a zone, or with more after it, for no address', async () => {
    const schema = createSchema(type)
    const codes = ['EGRESS_DENIED', 'DNS_INVALID_NAME', 'INVALID_URL']
    const storable = zoneForms.filter((host) => schema.safeParse(fixtureOf(type).leastCheck(port, host)).success)
    expect(await notDenied(type, storable, trusted, codes)).toEqual([])
  })

  it.each<[string, Records]>([
    ['one', { A: [metadata] }],
    ['a private one behind a public one', { A: [publicAddress, '10.0.0.1'] }],
    ['a public one behind a private one', { A: ['192.168.1.1', publicAddress] }],
    ['one that carries another, over IPv6', { AAAA: ['2606:4700::1', '64:ff9b::a9fe:a9fe'] }],
    ['the metadata address of IPv6', { AAAA: ['fd00:ec2::254'] }],
    ['one over IPv4, after none over IPv6', { A: [metadata], AAAA: [] }],
  ])('goes to no name whose addresses have %s that is denied', async (__, records) => {
    await givenNames(records)
    const ipv6 = records.AAAA !== undefined
    const end = await ends(type, checkAt(type, 'shop.example', { ipv6 }), { egress: publicOnly })
    expect(end).toMatchObject({ code: 'EGRESS_DENIED', outcome: 'fail', tried: [] })
    expect(end.text).toContain('shop.example')
  })

  it('goes to the address that was judged, and judges the next run anew', async () => {
    const asked = await givenNames({ A: [publicAddress] }, { A: [metadata] })
    const first = await ends(type, checkAt(type, 'rebound.example'), { egress: trusted })
    expect(first.tried.at(-1)).toContain(endpoint(publicAddress))
    expect(first.tried.join()).not.toContain(metadata)
    expect(asked.count).toBe(1)
    const second = await ends(type, checkAt(type, 'rebound.example'), { egress: trusted })
    expect(second).toMatchObject({ code: 'EGRESS_DENIED', tried: [] })
    expect(asked.count).toBe(2)
  })

  it("reaches none of Vedette's own listeners, by address, by another form of it, or by name", async () => {
    if (!hasPort(type)) return
    const own = [
      { address: '0.0.0.0', port },
      { address: '127.0.0.1', port },
      { address: 'localhost', port },
    ]
    await givenNames({ A: ['127.0.0.1'] })
    const local = ['127.0.0.1', '2130706433', '127.9.9.9', 'localhost', 'shop.example', '[::1]', '[::ffff:7f00:1]']
    for (const target of own) expect(await notDenied(type, local, { ...trusted, deniedTargets: [target] })).toEqual([])
    const database = { ...trusted, deniedTargets: [{ address: '10.1.2.3', port }] }
    const forms = ['10.1.2.3', '0xa010203', '[::ffff:10.1.2.3]', '[64:ff9b::a01:203]', '[2002:a01:203::]']
    expect(await notDenied(type, forms, database)).toEqual([])
    const named = { ...trusted, deniedTargets: [{ address: 'db.internal', port }] }
    expect(await notDenied(type, ['db.internal', 'DB.internal.'], named)).toEqual([])
  })

  it('follows no redirect to what is denied', async () => {
    const own = { ...trusted, deniedTargets: [{ address: '127.0.0.1', port: 5432 }] }
    const places = neverReached.flatMap((host) => [`http://${host}/`, `https://${host}:8443/x`])
    const spellings = [
      '//169.254.169.254/',
      String.raw`\\169.254.169.254\x`,
      'HTTPS:/169.254.169.254',
      'http://a:b@0xa9fea9fe',
    ]
    const other = [
      'http://127.0.0.1:5432/',
      'https://user:pass@localhost:5432/',
      'http://[::1]:5432',
      'https:2852039166',
    ]
    const locations = [...places, ...spellings, ...other].map((place) => Buffer.from(place).toString('latin1'))
    const redirects = await givenRedirects()
    const wrong: unknown[] = []
    // Types that do not speak HTTP have no redirects to follow.
    for (redirects.location of speaksHttp(type) ? locations : locations.slice(0, 1)) {
      redirects.heard = 0
      const more = { egress: own, timeoutMs: speaksHttp(type) ? 5000 : 300 }
      const end = await ends(type, checkAt(type, '127.0.0.1', { at: redirects.at }), more)
      const isDenied = !speaksHttp(type) || (end.code === 'EGRESS_DENIED' && redirects.heard === 1)
      if (!isDenied || (hasPort(type) && end.tried.length !== 0)) wrong.push({ ...redirects, ...end })
    }
    expect(wrong).toEqual([])
  })

  it('follows no redirect from https to what is denied, over http nor https', async () => {
    if (!speaksHttp(type)) return
    for (const location of ['http://169.254.169.254/', 'https://[::ffff:a9fe:a9fe]/', '//metadata.example/']) {
      await givenNames({ A: [metadata] })
      const server = createHttpsServer(authority.leaf(), (__, response) => response.writeHead(302, { location }).end())
      const at = await servers.adopt(server)
      outside.open.add(at)
      const definition = checkAt(type, '127.0.0.1', { at })
      const request = definition['request'] as object
      const overTls = { ...definition, request: { ...request, url: `https://127.0.0.1:${at}/`, skipSSL: true } }
      expect(await ends(type, overTls), location).toMatchObject({ code: 'EGRESS_DENIED', tried: [] })
    }
  })

  it('judges a name anew with every redirect', async () => {
    if (!speaksHttp(type)) return
    const redirects = await givenRedirects()
    redirects.location = `http://rebound.example:${redirects.at}/second`
    const asked = await givenNames({ A: ['127.0.0.1'] }, { A: [metadata] })
    const end = await ends(type, checkAt(type, 'rebound.example', { at: redirects.at }))
    expect(end).toMatchObject({ code: 'EGRESS_DENIED', tried: [] })
    expect([asked.count, redirects.heard]).toEqual([2, 1])
  })

  /** What a run tries to reach through that proxy, when its target is allowed. */
  const through = async (proxy: string, egress: Policy) =>
    await ends(type, checkAt(type, publicAddress), { proxy, egress })

  it('reaches no proxy that is denied, and is not known when it has to use one', async () => {
    const uses = (await through('http://10.9.9.9:3128', trusted)).tried.includes('10.9.9.9:3128') === true
    expect(uses).toBe(speaksHttp(type))
    const wrong: unknown[] = []
    const own = { ...trusted, deniedTargets: [{ address: '127.0.0.1', port: 3128 }] }
    for (const [hosts, egress] of [
      [neverReached, trusted],
      [privateForms, publicOnly],
      [['127.0.0.1', 'localhost', '[::1]', '2130706433'], own],
    ] as const) {
      for (const host of hosts) {
        const end = await through(`http://${host}:3128`, egress)
        const isUnused = !end.tried.some((place) => place.includes('3128'))
        const isRefused = end.code === 'PROXY' && end.outcome === 'unknown' && end.tried.length === 0
        if (uses ? !isRefused : !isUnused) wrong.push({ host, ...end })
      }
    }
    expect(wrong).toEqual([])
  })

  it('asks no proxy for what is denied', async () => {
    const redirects = await givenRedirects()
    const proxy = `http://127.0.0.1:${redirects.at}`
    for (const host of [...neverReached, '10.1.2.3']) {
      const egress = { ...trusted, deniedTargets: [{ address: '10.1.2.3', port }] }
      if (host === '10.1.2.3' && !hasPort(type)) continue
      const end = await ends(type, checkAt(type, host), { proxy, egress })
      expect(end, host).toMatchObject({ code: 'EGRESS_DENIED', tried: [] })
    }
    expect(redirects.heard).toBe(0)
    if (!speaksHttp(type)) return
    redirects.location = 'https://169.254.169.254/'
    const end = await ends(type, checkAt(type, 'shop.example'), { proxy })
    expect(end).toMatchObject({ code: 'EGRESS_DENIED', tried: [] })
    expect(redirects.heard).toBe(1)
  })
})
