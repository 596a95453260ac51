import { describe, expect, it } from 'vitest'
import type { GivenCheck } from '../../test-support/checks.ts'
import { useDatabase } from '../../test-support/database.ts'
import { idsOf, useIngest } from '../../test-support/ingest.ts'
import { incomingResult, type ResultParts } from '../../test-support/results.ts'
import type { IncomingResult } from '../runs.ts'

const database = useDatabase()
const setup = useIngest(database)
const { now, given, take, rowsOf, announced, errors } = setup
const dayMs = 86_400_000

const poison = (check: GivenCheck, dueAt: number, parts: ResultParts = {}): IncomingResult =>
  incomingResult(check, dueAt, { outcome: 'fail', ...parts, report: { responseMs: 1e300, ...parts.report } })

describe('a result that cannot be stored as it is', () => {
  it('is stored as final and not known with the reason, moves the status, and takes no other down', async () => {
    const [check, other] = [await given(), await given()]
    const results = [poison(check, now), incomingResult(other, now)]
    expect(await take(results)).toEqual({ accepted: idsOf(results), rejected: [] })
    expect(await rowsOf(check)).toMatchObject([
      {
        result_type: 'FINAL',
        outcome: 'unknown',
        has_errors: true,
        cause: expect.stringMatching(/could not be stored: .*out of range/) as string,
        body: { internalError: { code: 'NOT_STORABLE' }, verdict: { outcome: 'unknown' } },
      },
    ])
    expect(await rowsOf(other)).toMatchObject([{ outcome: 'pass' }])
    const announcedHere = announced.find(({ checkId }) => checkId === check.id)
    expect(announcedHere).toMatchObject({ resultType: 'FINAL', outcome: 'unknown' })
    const { rows } = await database.db.pool.query('SELECT has_errors FROM check_status WHERE check_id = $1', [check.id])
    expect(rows).toEqual([{ has_errors: true }])
    expect(errors).toEqual(['A result cannot be stored; its run ends as not known.'])
    expect(setup.ingest.notStorable).toEqual({ unknown: 1, refused: 0 })
  })

  it('is stored once when it is delivered again', async () => {
    const check = await given()
    const result = poison(check, now)
    for (let i = 0; i < 2; i++) expect(await take([result])).toMatchObject({ accepted: idsOf([result]) })
    expect(await rowsOf(check)).toHaveLength(1)
  })

  it('makes way for the result itself, should that be storable later', async () => {
    const check = await given()
    await take([poison(check, now)])
    await take([incomingResult(check, now, { outcome: 'fail' })])
    expect(await rowsOf(check)).toMatchObject([{ outcome: 'fail' }])
  })

  it('of a retry is tried elsewhere, and no one-shot of it stays behind', async () => {
    const check = await given({ doubleCheck: true })
    await take([incomingResult(check, now, { outcome: 'fail' })])
    expect(await take([poison(check, now, { attempt: 1, location: 'us-east-1' })])).toMatchObject({ rejected: [] })
    expect(await rowsOf(check)).toMatchObject([
      { outcome: 'fail', result_type: 'ATTEMPT' },
      { outcome: 'unknown', result_type: 'ATTEMPT' },
    ])
    const { rows } = await database.db.pool.query('SELECT attempt FROM pending_runs WHERE check_id = $1', [check.id])
    expect(rows).toEqual([{ attempt: 2 }])
  })

  it('of a passive check ends the same way', async () => {
    const check = await given()
    const result = poison(check, now, { leasedAt: null, identity: { location: null, source: 'PASSIVE' } })
    expect(await take([result])).toMatchObject({ accepted: idsOf([result]) })
    expect(await rowsOf(check)).toMatchObject([{ outcome: 'unknown', result_type: 'FINAL' }])
  })

  it('neither refuses nor holds up its batch when it cannot even be prepared', async () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    const broken: Partial<IncomingResult['report']>[] = [
      { startedAt: Number.NaN },
      { result: { apiCheckResult: 10n } },
      { result: circular },
      JSON.parse('{"verdict":null}') as object,
      {
        metrics: new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error('no keys')
            },
          },
        ),
      },
    ]
    const checks = await Promise.all(broken.map(() => given()))
    const good = await given()
    const results = broken.map((report, at) => incomingResult(checks[at]!, now, { outcome: 'fail', report }))
    const batch = [...results, incomingResult(good, now)]
    expect(await take(batch)).toEqual({ accepted: idsOf(batch), rejected: [] })
    for (const check of checks) expect(await rowsOf(check)).toHaveLength(1)
    expect(await rowsOf(good)).toMatchObject([{ outcome: 'pass' }])
  })

  it('is refused alone, logged and counted when not even that can be stored', async () => {
    const check = await given()
    const [bad, good] = [incomingResult(check, now, { identity: { attempt: 3e9 } }), incomingResult(check, now + 1000)]
    expect(await take([bad, good])).toEqual({
      accepted: idsOf([good]),
      rejected: [{ attemptId: bad.identity.attemptId, reason: expect.stringContaining('out of range') as string }],
    })
    expect(errors.at(-1)).toBe('A result is refused: not even the record that it cannot be stored was stored.')
    expect(setup.ingest.notStorable).toMatchObject({ refused: 1 })
  })
})

describe('the due time of a result', () => {
  it('may be as old as results are kept, whether its day has a partition or not', async () => {
    const check = await given()
    const old = [10, 20, 29].map((days) => incomingResult(check, now - days * dayMs, { receivedAt: now }))
    expect(await take(old)).toEqual({ accepted: idsOf(old), rejected: [] })
    expect(await rowsOf(check)).toHaveLength(3)
  })

  it('out of that range refuses it alone, is logged and counted', async () => {
    const check = await given()
    const far = [now - 40 * dayMs, now + 40 * dayMs, Date.UTC(2001, 0, 1)].map((dueAt) => incomingResult(check, dueAt))
    const good = incomingResult(check, now)
    const answer = await take([...far, good])
    expect(answer.accepted).toEqual(idsOf([good]))
    expect(answer.rejected.map(({ attemptId }) => attemptId)).toEqual(idsOf(far))
    expect(answer.rejected[2]?.reason).toBe('it was due at 2001-01-01T00:00:00.000Z, a day whose results are not kept')
    expect(errors).toEqual(far.map(() => 'A result is refused: results of its day are not kept.'))
    expect(setup.ingest.notStorable).toEqual({ unknown: 0, refused: 3 })
  })
})
