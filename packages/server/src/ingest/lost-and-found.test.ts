import { describe, expect, it } from 'vitest'
import type { GivenCheck } from '../../test-support/checks.ts'
import { TestClock } from '../../test-support/clock.ts'
import { useDatabase } from '../../test-support/database.ts'
import { useIngest } from '../../test-support/ingest.ts'
import { incomingResult } from '../../test-support/results.ts'
import { Ingest } from './ingest.ts'

const database = useDatabase()
const setup = useIngest(database)
const { now, given, take, rowsOf, statusOf, alertsOf } = setup
const minute = 60_000

describe('a run that was given up and whose agent comes back', () => {
  it('is what the agent says of it, in the history and in the state', async () => {
    const check = await given()
    await take([incomingResult(check, now - 10 * minute, { outcome: 'unknown', receivedAt: now - 4 * minute })])
    const found = incomingResult(check, now - 10 * minute, { outcome: 'fail', receivedAt: now })
    expect(await take([found])).toEqual({ accepted: [found.identity.attemptId], rejected: [] })
    expect(await rowsOf(check)).toMatchObject([{ outcome: 'fail', has_errors: false, late: true, cause: 'fail here' }])
    expect((await rowsOf(check))[0]?.started_at).not.toBeNull()
    expect(await statusOf(check)).toMatchObject({ state: 'failing' })
    expect(await alertsOf(check)).toEqual([])
    await take([incomingResult(check, now - minute, { outcome: 'fail' })])
    expect(await alertsOf(check)).toEqual(['ALERT_FAILURE_REMAIN'])
  })

  it('is stored as seen when both results come together, whichever is first', async () => {
    for (const order of [0, 1]) {
      const check = await given()
      const results = [incomingResult(check, now, { outcome: 'unknown' }), incomingResult(check, now)]
      await take(order === 0 ? results : results.toReversed())
      expect(await rowsOf(check)).toMatchObject([{ outcome: 'pass' }])
    }
  })

  it('is not taken back by a loss that is noted later', async () => {
    const check = await given()
    await take([incomingResult(check, now, { outcome: 'fail' })])
    await take([incomingResult(check, now, { outcome: 'unknown' })])
    expect(await rowsOf(check)).toMatchObject([{ outcome: 'fail' }])
  })

  it('changes nothing when the run went on elsewhere meanwhile', async () => {
    const check = await given({ doubleCheck: true })
    await take([incomingResult(check, now, { outcome: 'fail' })])
    await take([incomingResult(check, now, { outcome: 'unknown', attempt: 1, location: 'us-east-1' })])
    await take([incomingResult(check, now, { outcome: 'pass', attempt: 1, location: 'us-east-1' })])
    expect((await rowsOf(check)).map((row) => [row.outcome, row.result_type])).toEqual([
      ['fail', 'ATTEMPT'],
      ['unknown', 'ATTEMPT'],
    ])
  })
})

describe('a result that comes late', () => {
  it('is marked and pages nobody; the next failing one does', async () => {
    const check = await given({ doubleCheck: true })
    const old = now - 7 * minute
    await take([incomingResult(check, old, { outcome: 'fail', receivedAt: now })])
    expect(await rowsOf(check)).toMatchObject([{ late: true, result_type: 'FINAL' }])
    expect(await statusOf(check)).toMatchObject({ state: 'failing' })
    expect(await alertsOf(check)).toEqual([])
    await take([incomingResult(check, now, { outcome: 'fail', attempt: 1 })])
    expect(await alertsOf(check)).toEqual(['ALERT_FAILURE_REMAIN'])
  })

  it('is not one that waited long for an agent', async () => {
    const check = await given()
    const leasedAt = now + 5 * minute
    const report = { startedAt: leasedAt + 1000, stoppedAt: leasedAt + 90_000 }
    const receivedAt = leasedAt + 91_000
    await take([incomingResult(check, now, { outcome: 'fail', leasedAt, receivedAt, report })])
    expect(await rowsOf(check)).toMatchObject([{ late: false }])
    expect(await alertsOf(check)).toEqual(['ALERT_FAILURE'])
  })

  it('is one that an agent kept for long, whatever its clock says', async () => {
    const check = await given()
    const report = { startedAt: now + 60 * minute, replayed: true }
    await take([incomingResult(check, now, { outcome: 'fail', receivedAt: now + 7 * minute, report })])
    expect(await rowsOf(check)).toMatchObject([{ late: true }])
    expect(await alertsOf(check)).toEqual([])
  })

  it('is not a retry with a long back-off', async () => {
    const check = await given()
    const leasedAt = now
    await take([
      incomingResult(check, now - 9 * minute, { outcome: 'fail', attempt: 1, leasedAt, receivedAt: now + 1 }),
    ])
    expect(await rowsOf(check)).toMatchObject([{ late: false }])
    expect(await alertsOf(check)).toEqual(['ALERT_FAILURE'])
  })
})

describe('a check that is switched off while people know of its trouble', () => {
  const activate = (check: GivenCheck, activated: boolean) =>
    database.db.pool.query('UPDATE checks SET activated = $2 WHERE id = $1', [check.id, activated])

  it('alerts on the recovery once it runs again, though the last run before had seen it', async () => {
    const check = await given()
    await take([incomingResult(check, now, { outcome: 'fail' })])
    await activate(check, false)
    await take([incomingResult(check, now + minute)])
    expect(await alertsOf(check)).toEqual(['ALERT_FAILURE'])
    await activate(check, true)
    await take([incomingResult(check, now + 60 * minute)])
    expect(await alertsOf(check)).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY'])
  })

  it('alerts on a failure seen in its last run once it runs again and still fails', async () => {
    const check = await given()
    await activate(check, false)
    await take([incomingResult(check, now, { outcome: 'fail' })])
    expect(await alertsOf(check)).toEqual([])
    await activate(check, true)
    await take([incomingResult(check, now + minute, { outcome: 'fail' })])
    expect(await alertsOf(check)).toEqual(['ALERT_FAILURE_REMAIN'])
  })
})

it('a host that slept for weeks stores the first results after that', async () => {
  const later = now + 20 * 24 * 60 * minute
  const check = await given()
  await take([incomingResult(check, now)])
  setup.clock.jump(later - now)
  const result = incomingResult(check, later)
  expect(await take([result])).toEqual({ accepted: [result.identity.attemptId], rejected: [] })
})

it('results go on to move the state after a clock that was ahead is set right', async () => {
  for (const runParallel of [false, true]) {
    const check = await given({ runParallel, locations: ['eu-west-1'] })
    const ahead = new TestClock(now + 5 * 60 * minute)
    const early = new Ingest({ db: database.db, clock: ahead })
    const taken = early.accept([incomingResult(check, ahead.now())])
    await ahead.advance(500)
    await taken
    await early.stop()
    await take([incomingResult(check, setup.clock.now(), { outcome: 'fail' })])
    expect(await statusOf(check)).toMatchObject({ state: 'failing' })
    expect(await alertsOf(check)).toEqual(['ALERT_FAILURE'])
    await take([incomingResult(check, setup.clock.now() + minute)])
    expect(await alertsOf(check)).toContain('ALERT_RECOVERY')
  }
})
