import type { MultiStepEvidence } from './result.ts'

/** The smallest check a user can send. For the suite over all check types. */
export const leastCheck = () => ({ name: 'least', script: 'done()' })

/** What a run sees when all is well. */
export const goodEvidence: MultiStepEvidence = {
  errors: [],
  startTime: 1_700_000_000_000,
  endTime: 1_700_000_000_800,
  runtimeVersion: '2026.04',
  jobLog: [{ time: 1_700_000_000_100, msg: 'signed in', level: 'INFO' }],
  jobAssets: null,
  playwrightTestTraces: [],
  playwrightTestJsonReportFile: null,
}
