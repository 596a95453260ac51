import { expect, test } from 'vitest'
import { useDatabase } from '../../../test-support/database.ts'
import { useIngest } from '../../../test-support/ingest.ts'
import { givenManyResults, onResults, rowReads } from '../../../test-support/result-plans.ts'
import { recordingStatements } from '../../../test-support/recorded-statements.ts'
import { incomingResult } from '../../../test-support/results.ts'
import { readStats } from './availability.ts'

const at = useIngest(useDatabase())
const minute = 60_000

test('results of which nothing is known are no events', async () => {
  const check = await at.given()
  const now = at.now
  for (const [n, outcome] of (['pass', 'fail', 'unknown', 'unknown'] as const).entries())
    await at.take([incomingResult(check, now - (10 - n) * minute, { outcome })])
  const of = { successRatio: { currentPeriod: 1 / 2, previousPeriod: undefined }, totalEntitiesCurrentPeriod: 2 }
  expect(await readStats(at.db.pool, check.id, now)).toEqual({ last24Hours: of, last7Days: of })
})

test('the stats are read from indexes alone', async () => {
  const checks = [await at.given(), await at.given()]
  await givenManyResults(at.db, checks, { until: at.now, number: 4000 })
  const { db, statements } = recordingStatements(at.db)
  const { last24Hours } = await readStats(db.pool, checks[0]?.id ?? '', at.now)
  expect(last24Hours).toMatchObject({ successRatio: { currentPeriod: 1 }, totalEntitiesCurrentPeriod: 4000 })
  expect(onResults(statements)).toHaveLength(1)
  for (const statement of onResults(statements)) expect(await rowReads(at.db, statement)).toEqual([])
})
