import type { CheckPhases } from '@vedette/wire'
import { expect, test } from 'vitest'
import { givenApi } from '../../../test-support/api.ts'
import { givenCheck } from '../../../test-support/checks.ts'
import { useDatabase } from '../../../test-support/database.ts'
import { useIngest } from '../../../test-support/ingest.ts'
import { incomingResult } from '../../../test-support/results.ts'

const database = useDatabase()
const at = useIngest(database)
const minute = 60_000
const start = () => Math.floor(at.now / minute) * minute - 60 * minute
const iso = (offset: number) => new Date(start() + offset * minute).toISOString()

const phases = (dns: number, firstByte: number) => ({ total: dns + firstByte, dns, tcp: 2, firstByte })

test('the median of each phase is told by bucket, of measured runs whatever they ended with', async () => {
  const api = await givenApi(database.db)
  const check = await givenCheck(database, { accountId: api.accountId })
  const take = (offset: number, parts: Parameters<typeof incomingResult>[2]) =>
    at.take([incomingResult(check, start() + offset * minute, parts)])
  await take(-1, { report: { metrics: phases(99, 99) } })
  await take(0, { report: { metrics: phases(1, 10) } })
  await take(0.2, { report: { metrics: phases(6, 30) }, location: 'us-east-1' })
  await take(0.4, { outcome: 'fail', attempt: 1, report: { metrics: phases(2, 20) } })
  await take(1, { outcome: 'unknown', report: { metrics: {} } })
  await take(2, { report: { metrics: phases(4, 40) } })
  await take(60, { report: { metrics: phases(99, 99) } })
  const query = `from=${start() / 1000}&to=${start() / 1000 + 3600}`
  const { status, body } = await api.call('GET', `/v1/checks/${check.id}/phases?${query}`)
  expect(status).toBe(200)
  const answer = body as unknown as CheckPhases
  expect(answer.phases.slice(0, 3)).toEqual([
    { name: 'dns', label: 'DNS' },
    { name: 'tcp', label: 'TCP connection' },
    { name: 'tls', label: 'TLS handshake' },
  ])
  expect(answer).toMatchObject({ from: iso(0), to: iso(60), bucketMs: 30_000 })
  expect(answer.buckets).toEqual([
    { at: iso(0), runs: 3, mean: [3, 2, null, 20, null, null] },
    { at: iso(2), runs: 1, mean: [4, 2, null, 40, null, null] },
  ])
})

test('a range may be six hours long, and is that without one', async () => {
  const api = await givenApi(database.db)
  const check = await givenCheck(database, { accountId: api.accountId })
  const path = `/v1/checks/${check.id}/phases`
  const { body } = await api.call('GET', path)
  expect(Date.parse(String(body['to'])) - Date.parse(String(body['from']))).toBe(6 * 60 * minute)
  const refused = await api.call('GET', `${path}?from=1700000000&to=${1700000000 + 6 * 3600 + 1}`)
  expect(refused.body).toMatchObject({ statusCode: 400, message: expect.stringContaining('6 hours before "to"') })
  expect((await (await givenApi(database.db)).call('GET', path)).status).toBe(404)
})
