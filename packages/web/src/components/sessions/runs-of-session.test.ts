import type { CheckSessionResult, CheckSessionWithResults } from '@vedette/wire'
import { expect, test } from 'vitest'
import { runsOfSession } from './runs-of-session.ts'

const result = (sequenceId: string, runLocation: string) => ({ sequenceId, runLocation }) as CheckSessionResult
const runs = (runLocations: string[], results: CheckSessionResult[]) =>
  runsOfSession({ runLocations, results } as CheckSessionWithResults).map((run) => [
    run.location,
    run.results.map(({ runLocation }) => runLocation),
  ])

test('each location has its run, also before its first result', () => {
  expect(runs(['eu', 'us'], [result('b', 'us')])).toEqual([
    ['eu', []],
    ['us', ['us']],
  ])
})

test('a retry elsewhere is of the run it belongs to', () => {
  expect(runs(['eu', 'us'], [result('a', 'eu'), result('b', 'us'), result('a', 'us')])).toEqual([
    ['eu', ['eu', 'us']],
    ['us', ['us']],
  ])
})

test('a run that another location took over is that of the location it was for', () => {
  expect(runs(['eu'], [result('a', 'us')])).toEqual([['eu', ['us']]])
})
