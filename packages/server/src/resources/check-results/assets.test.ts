import { networkAssets, type Traceroute } from '@vedette/wire'
import { beforeAll, describe, expect, test } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { givenCheck } from '../../../test-support/checks.ts'
import { TestClock } from '../../../test-support/clock.ts'
import { useDatabase } from '../../../test-support/database.ts'
import { testBaseUrl } from '../../../test-support/http.ts'
import { incomingResult } from '../../../test-support/results.ts'
import { insertAsset } from '../../assets/index.ts'
import { Ingest } from '../../ingest/index.ts'

const database = useDatabase()
const now = Math.floor(Date.now() / 1000) * 1000
const dueAt = now - 2000
const route: Traceroute = {
  hostname: 'shop.example',
  resolvedIp: '192.0.2.80',
  protocol: 'TCP',
  port: 443,
  startedAt: '2026-05-04T07:00:00.000Z',
  totalHops: 1,
  destinationReached: true,
  truncationReason: 'destinationReached',
  hops: [
    {
      hop_number: 1,
      main_ip: '192.0.2.80',
      other_ips: [],
      sent: 3,
      received: 3,
      loss_percentage: 0,
      rtt: { last_ms: 1, avg_ms: 1, best_ms: 1, worst_ms: 1, stddev_ms: 0 },
    },
  ],
}
const capture = Buffer.from([0xd4, 0xc3, 0xb2, 0xa1, 0, 255, 128])
const part = { assertions: [], request: null, response: null, requestError: 'x', jobLog: null, jobAssets: null }
let api: TestApi
let checkId: string
let resultId: string
let sequenceId: string

beforeAll(async () => {
  api = await givenApi(database.db)
  ;({ checkId, resultId, sequenceId } = await givenResult())
  await attach(networkAssets.traceroute, 'report', 'application/json', Buffer.from(JSON.stringify(route)))
  await attach(networkAssets.capture, 'pcap', 'application/vnd.tcpdump.pcap', capture)
})

/** A stored result whose agent names an address of its own as that of the capture. */
async function givenResult(): Promise<{ checkId: string; resultId: string; sequenceId: string }> {
  const check = await givenCheck(database, { accountId: api.accountId })
  const clock = new TestClock(now)
  const ingest = new Ingest({ db: database.db, clock })
  const result = { apiCheckResult: { ...part, pcapDataUrl: 'https://evil.example/x' } }
  const incoming = incomingResult(check, dueAt, { outcome: 'fail', report: { result } })
  const accepted = ingest.accept([incoming])
  await clock.advance(500)
  await accepted
  await ingest.stop()
  const { attemptId, sequenceId: run } = incoming.identity
  return { checkId: check.id, resultId: attemptId, sequenceId: run }
}

async function attach(name: string, type: 'report' | 'pcap', contentType: string, content: Buffer): Promise<void> {
  await api.deps.assets.put({ dueAt, resultId, name }, content)
  const owner = { accountId: api.accountId, checkId, resultId, sequenceId, dueAt }
  await insertAsset(database.db.pool, owner, { name, type, contentType, bytes: content.length }, now)
}

const of = (id = resultId) => `/v1/check-results/${checkId}/${id}/assets`
const names = ({ body }: { body: Record<string, unknown> }) =>
  (body.assets as { name: string }[]).map(({ name }) => name)

describe('the files of a result', () => {
  test('are listed with their addresses, and whose they are', async () => {
    const { body } = await api.call('GET', of())
    const source = { type: 'check-result', checkId, checkName: expect.any(String), checkType: 'API', resultId }
    const entry = (type: string, name: string, contentType: string) => ({
      type,
      name,
      contentType,
      url: `${testBaseUrl}${of()}/${name}`,
      source,
    })
    expect(body).toEqual({
      assets: [
        entry('pcap', 'capture.pcap', 'application/vnd.tcpdump.pcap'),
        entry('report', 'traceroute.json', 'application/json'),
      ],
      truncated: false,
      entriesReturned: 2,
      entriesTotal: 2,
    })
  })

  test.each([
    ['type=pcap', ['capture.pcap']],
    ['type=pcap&type=report', ['capture.pcap', 'traceroute.json']],
    ['type=video', []],
    ['name=*.JSON', ['traceroute.json']],
    ['name=TRACE*', ['traceroute.json']],
    ['name=capture', []],
    ['name=capture.pca?', ['capture.pcap']],
    ['name=*a*p*', ['capture.pcap']],
    [`name=${'*'.repeat(200)}`, ['capture.pcap', 'traceroute.json']],
    ['type=report&name=c*', []],
  ])('can be filtered: ?%s', async (search, wanted) => {
    expect(names(await api.call('GET', `${of()}?${search}`))).toEqual(wanted)
  })

  test.each([
    ['type=movie', '"type.0" must be one of'],
    ['name=', '"name"'],
    [`name=${'x'.repeat(201)}`, '"name"'],
    ['sort=name', 'sort'],
  ])('are not filtered by ?%s', async (search, message) => {
    const answer = await api.call('GET', `${of()}?${search}`)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(message)
  })

  test('are read as they were stored', async () => {
    const report = await api.call('GET', `${of()}/traceroute.json`)
    expect(report.body).toEqual(route)
    const { app, keys } = api
    const file = await app.inject({ url: `${of()}/capture.pcap`, headers: { authorization: `Bearer ${keys.read}` } })
    expect(file.rawPayload).toEqual(capture)
    expect(file.headers).toMatchObject({
      'content-type': 'application/vnd.tcpdump.pcap',
      'content-disposition': `attachment; filename="${resultId}-capture.pcap"`,
      'x-content-type-options': 'nosniff',
    })
  })

  test('make the address of the capture in the result, and what an agent says of it is not believed', async () => {
    const read = async (id: string, check = checkId) =>
      ((await api.call('GET', `/v1/check-results/${check}/${id}`)).body.apiCheckResult as Record<string, unknown>)
        .pcapDataUrl
    expect(await read(resultId)).toBe(`${testBaseUrl}${of()}/capture.pcap`)
    const { body } = await api.call('GET', `/v2/check-results/${checkId}?limit=1`)
    expect(body.entries).toMatchObject([{ apiCheckResult: { pcapDataUrl: `${testBaseUrl}${of()}/capture.pcap` } }])
    const other = await givenResult()
    expect(await read(other.resultId, other.checkId)).toBeNull()
  })

  test('of an attempt that was retried are those of the last result too, and of no other attempt', async () => {
    const last = await givenResult()
    await database.db.pool.query(
      'UPDATE check_results SET attempts = 1, check_id = $2, sequence_id = $3 WHERE id = $1',
      [last.resultId, checkId, sequenceId],
    )
    const { body } = await api.call('GET', of(last.resultId))
    expect(body.assets).toMatchObject([
      { name: 'capture.pcap', url: `${testBaseUrl}${of()}/capture.pcap`, source: { resultId } },
      { name: 'traceroute.json', url: `${testBaseUrl}${of()}/traceroute.json`, source: { resultId } },
    ])
    const result = await api.call('GET', `/v1/check-results/${checkId}/${last.resultId}`)
    expect(result.body.apiCheckResult).toMatchObject({ pcapDataUrl: `${testBaseUrl}${of()}/capture.pcap` })
    expect((await api.call('GET', `${of(last.resultId)}/capture.pcap`)).status).toBe(404)
    await database.db.pool.query(`UPDATE check_results SET result_type = 'ATTEMPT' WHERE id = $1`, [last.resultId])
    expect((await api.call('GET', of(last.resultId))).body.assets).toEqual([])
    const attempt = await api.call('GET', `/v1/check-results/${checkId}/${last.resultId}`)
    expect(attempt.body.apiCheckResult).toMatchObject({ pcapDataUrl: null })
  })

  test('of others, of no result and of no such name are not there', async () => {
    const stranger = await givenApi(database.db)
    for (const path of [of(), `${of()}/capture.pcap`]) {
      expect((await stranger.call('GET', path)).status).toBe(404)
      expect((await api.call('GET', path.replace(checkId, resultId))).status).toBe(404)
    }
    expect((await api.call('GET', `${of()}/other.pcap`)).body.message).toBe('No such file of the result.')
    expect((await api.call('GET', `${of()}/..%2f..%2fmaster.key`)).status).toBe(404)
  })

  test('that another server keeps say so', async () => {
    const { resultId: id, checkId: check, ...run } = await givenResult()
    const owner = { accountId: api.accountId, checkId: check, resultId: id, ...run, dueAt }
    await insertAsset(
      database.db.pool,
      owner,
      { name: 'capture.pcap', type: 'pcap', contentType: 'application/vnd.tcpdump.pcap', bytes: 1 },
      now,
    )
    const answer = await api.call('GET', `/v1/check-results/${check}/${id}/assets/capture.pcap`)
    expect(answer.status).toBe(404)
    expect(answer.body.message).toContain('VEDETTE_ASSETS_DIR')
  })
})
