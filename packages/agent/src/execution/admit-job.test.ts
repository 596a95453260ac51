import { expect, test } from 'vitest'
import { scriptedJob } from '../../test-support/jobs.ts'
import { unableToRun } from './admit-job.ts'

test('a job that the agent can run is admitted', () => {
  expect(unableToRun(scriptedJob('pass'), [])).toBeUndefined()
})

test('a job of a type the agent does not know ends as an internal error', () => {
  const report = unableToRun({ ...scriptedJob('pass'), type: 'BROWSER' }, [])
  expect(report).toMatchObject({ internalError: { code: 'UNKNOWN_CHECK_TYPE' }, verdict: { outcome: 'unknown' } })
})

test('a job that needs what the agent lacks ends as an internal error', () => {
  const job = scriptedJob('pass')
  const needy = { ...job, definition: { ...job.definition, localSetupScript: 'await 1' } }
  expect(unableToRun(needy, [])).toMatchObject({ internalError: { code: 'MISSING_CAPABILITY' } })
})

test('a definition that cannot be read ends as an internal error of its own job alone', () => {
  const job = { ...scriptedJob('pass'), definition: null as unknown as Record<string, unknown> }
  expect(unableToRun(job, [])).toMatchObject({
    internalError: { code: 'AGENT_ERROR' },
    verdict: { outcome: 'unknown' },
  })
})
