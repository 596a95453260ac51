import type { BrowserEvidence } from './result.ts'

/** The smallest check a user can send. For the suite over all check types. */
export const leastCheck = () => ({ name: 'least', script: 'done()' })

const good = (value: number) => ({ score: 'GOOD' as const, value })

/** What a run sees when all is well. */
export const goodEvidence: BrowserEvidence = {
  type: 'PLAYWRIGHT',
  traceSummary: { consoleErrors: 0, networkErrors: 0, documentErrors: 0, userScriptErrors: 0 },
  pages: [
    {
      url: 'https://shop.example/',
      webVitals: { CLS: good(0.01), FCP: good(300), LCP: good(900), TBT: good(20), TTFB: good(120) },
    },
  ],
  errors: [],
  startTime: 1_700_000_000_000,
  endTime: 1_700_000_002_500,
  runtimeVersion: '2026.04',
  jobLog: [{ time: 1_700_000_000_100, msg: 'opened', level: 'INFO' }],
  jobAssets: null,
  playwrightTestVideos: [],
  playwrightTestTraces: [],
  playwrightTestJsonReportFile: null,
}
