import type { Metric } from '../core/check-type.ts'
import { scriptMs } from '../core/script/script-result.ts'
import { webVitalNames, type BrowserEvidence, type WebVitalName } from './result.ts'

const labels: Record<WebVitalName, string> = {
  TTFB: 'First byte',
  FCP: 'First content',
  LCP: 'Largest content',
  CLS: 'Layout shift',
  TBT: 'Blocked',
}

/** Of the page that did worst: a run may open several. */
const vital = (name: WebVitalName): Metric<BrowserEvidence> => ({
  name,
  label: labels[name],
  unit: name === 'CLS' ? 'score' : 'ms',
  read({ pages }) {
    const values = pages.flatMap(({ webVitals }) => webVitals[name]?.value ?? [])
    return values.length === 0 ? null : Math.max(...values)
  },
})

const counted = (name: keyof BrowserEvidence['traceSummary'], label: string): Metric<BrowserEvidence> => ({
  name,
  label,
  unit: 'count',
  read: ({ traceSummary }) => traceSummary[name],
})

/** Names as reports ask for them. Source: contract, "Analytics". */
export const browserMetrics: readonly Metric<BrowserEvidence>[] = [
  { name: 'responseTime', label: 'Duration', unit: 'ms', read: scriptMs },
  ...webVitalNames.map(vital),
  counted('consoleErrors', 'Errors on the console'),
  counted('networkErrors', 'Failed requests'),
  counted('userScriptErrors', 'Errors of scripts'),
  counted('documentErrors', 'Failed documents'),
]
