import type { PlaywrightEvidence } from './result.ts'

/** The smallest check a user can send. For the suite over all check types. */
export const leastCheck = () => ({ name: 'least', codeBundlePath: 'bundles/shop.tgz' })

/** What a run sees when all is well. */
export const goodEvidence: PlaywrightEvidence = {
  durationMs: 4200,
  errors: [],
  jobLog: [{ time: 1_700_000_000_100, msg: '3 passed', level: 'INFO' }],
  jobAssets: null,
  playwrightTraceFiles: [{ url: 'https://vedette.example/trace.zip', name: 'pays', filename: 'trace.zip' }],
  playwrightTestVideos: [],
  playwrightTestTraces: [],
  playwrightTestJsonReportFile: null,
}
