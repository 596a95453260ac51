import { beforeEach, expect, it } from 'vitest'
import { replaceRevision, type GivenCheck } from '../../test-support/checks.ts'
import { useDatabase } from '../../test-support/database.ts'
import { useIngest } from '../../test-support/ingest.ts'
import { incomingResult } from '../../test-support/results.ts'

const database = useDatabase()
const setup = useIngest(database)
const minute = 60_000
let check: GivenCheck

/** An agent that is cut off goes on with the revision that it knows. Two minutes ago the check was given another. */
beforeEach(async () => {
  const retried = { type: 'FIXED', baseBackoffSeconds: 60, maxRetries: 1 }
  check = await setup.given({ retryStrategy: retried })
  await setup.take([incomingResult(check, setup.now - 10 * minute, { receivedAt: setup.now - 10 * minute })])
  await replaceRevision(setup, check, setup.now - 2 * minute)
})

it('a run of a revision that was replaced before it was due is stored, and decides nothing', async () => {
  const dueAt = setup.now - minute
  expect((await setup.take([incomingResult(check, dueAt, { outcome: 'fail' })])).accepted).toHaveLength(1)
  expect(await setup.rowsOf(check)).toMatchObject([
    { outcome: 'pass' },
    { outcome: 'fail', revision: 1, result_type: 'FINAL' },
  ])
  expect(await setup.alertsOf(check)).toEqual([])
  expect(await setup.statusOf(check)).toMatchObject({ state: 'passing', has_failures: false })
})

it('a run that was due before its revision was replaced counts as always', async () => {
  const dueAt = setup.now - 3 * minute
  const failing = { outcome: 'fail', leasedAt: dueAt, receivedAt: setup.now } as const
  await setup.take([incomingResult(check, dueAt, failing), incomingResult(check, dueAt, { ...failing, attempt: 1 })])
  expect(await setup.statusOf(check)).toMatchObject({ state: 'failing' })
})
