import type { LocationId } from '@vedette/wire'
import { describe, expect, it } from 'vitest'
import type { GivenCheck } from '../../test-support/checks.ts'
import { resolveSettings, useDatabase } from '../../test-support/database.ts'
import { useIngest } from '../../test-support/ingest.ts'
import { incomingResult } from '../../test-support/results.ts'

const database = useDatabase()
const setup = useIngest(database)
const { now, given, take, statusOf, alertsOf } = setup
const minute = 60_000

describe('a parallel check', () => {
  const resultsOf = (check: GivenCheck) => (slot: number, location: LocationId, outcome: 'pass' | 'fail') =>
    incomingResult(check, now + slot * minute, {
      outcome,
      location,
      identity: { sequenceId: crypto.randomUUID(), attemptId: crypto.randomUUID() },
    })

  it('fails at the first failing location and recovers when all pass', async () => {
    const check = await given({ runParallel: true })
    const result = resultsOf(check)
    await take([result(0, 'us-east-1', 'fail')])
    expect(await statusOf(check)).toMatchObject({ state: 'failing', failing_locations: ['us-east-1'] })
    await take([result(0, 'eu-west-1', 'pass'), result(1, 'eu-west-1', 'pass')])
    expect(await alertsOf(check)).toEqual(['ALERT_FAILURE'])
    await take([result(1, 'us-east-1', 'pass')])
    expect(await alertsOf(check)).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY'])
  })

  it('that is down everywhere alerts, although its locations answer on different slots', async () => {
    const parallelRunFailureThreshold = { enabled: true, percentage: 100 }
    const alertSettings = { useGlobalAlertSettings: false, alertSettings: { parallelRunFailureThreshold } }
    const check = await given({ runParallel: true, ...alertSettings })
    const result = resultsOf(check)
    for (let slot = 0; slot < 9; slot += 3) {
      await take([result(slot, 'eu-west-1', 'fail')])
      await take([result(slot + 1, 'us-east-1', 'fail')])
    }
    expect(await alertsOf(check)).toEqual(['ALERT_FAILURE'])
    expect(await statusOf(check)).toMatchObject({ state: 'failing' })
  })

  it('is judged by its locations of now: one that it left says nothing more', async () => {
    const check = await given({ runParallel: true, locations: ['eu-west-1'] })
    const result = resultsOf(check)
    await take([result(0, 'us-east-1', 'fail')])
    expect(await statusOf(check)).toMatchObject({ state: 'pending', failing_locations: [] })
    await take([result(0, 'eu-west-1', 'pass')])
    expect(await statusOf(check)).toMatchObject({ state: 'passing' })
  })

  it('without locations of its own waits for those of the account', async () => {
    const check = await given({ runParallel: true, locations: [] })
    await take([incomingResult(check, now, { location: 'eu-central-1' })])
    expect(await statusOf(check)).toMatchObject({ state: 'passing' })
  })

  it('without locations of its own waits for others once the account has others', async () => {
    const check = await given({ runParallel: true, locations: null })
    await database.db.pool.query(`UPDATE accounts SET default_locations = '{eu-west-1,us-east-1}' WHERE id = $1`, [
      setup.accountId,
    ])
    await resolveSettings(database.db, setup.accountId)
    await take([incomingResult(check, now, { location: 'eu-west-1' })])
    expect(await statusOf(check)).toMatchObject({ state: 'unknown' })
    const ids = { sequenceId: crypto.randomUUID(), attemptId: crypto.randomUUID() }
    await take([incomingResult(check, now, { location: 'us-east-1', identity: ids })])
    expect(await statusOf(check)).toMatchObject({ state: 'passing' })
  })
})
