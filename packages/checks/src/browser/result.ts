import { z } from 'zod'
import type { ResultParts } from '../core/check-type.ts'
import type { ResultSection } from '../core/result-view.ts'
import { errorsSection, logSection, noScript, scriptResultFields, videosField } from '../core/script/script-result.ts'

/** Web vitals by the names that results and metrics have for them. */
export const webVitalNames = ['TTFB', 'FCP', 'LCP', 'CLS', 'TBT'] as const
export type WebVitalName = (typeof webVitalNames)[number]

const vital = z
  .object({
    score: z.enum(['GOOD', 'NEEDS_IMPROVEMENT', 'POOR']),
    value: z.number().describe('Milliseconds; a score without unit for CLS.'),
  })
  .nullable()
  .describe('null when the page did not tell it.')

const browserResultSchema = z
  .object({
    type: z.string().describe('Name of the framework that drove the browser.'),
    traceSummary: z
      .object({
        consoleErrors: z.int(),
        networkErrors: z.int(),
        documentErrors: z.int(),
        userScriptErrors: z.int(),
      })
      .describe('How many errors of each kind the browser saw.'),
    pages: z.array(
      z.object({
        url: z.string(),
        webVitals: z.object({ CLS: vital, FCP: vital, LCP: vital, TBT: vital, TTFB: vital }),
      }),
    ),
    ...scriptResultFields,
    playwrightTestVideos: videosField,
  })
  .meta({ id: 'BrowserCheckResult', description: 'What a run of a browser check saw.' })

/** What a run of a browser check saw. */
export type BrowserEvidence = z.infer<typeof browserResultSchema>

/** The type-specific part of a result. */
export const browserTypePart = { resultKey: 'browserCheckResult' as const, resultSchema: browserResultSchema }

export const toBrowserResult = (
  _definition: unknown,
  { evidence, error }: ResultParts<BrowserEvidence>,
): BrowserEvidence =>
  evidence ?? {
    type: 'PLAYWRIGHT',
    traceSummary: { consoleErrors: 0, networkErrors: 0, documentErrors: 0, userScriptErrors: 0 },
    pages: [],
    ...noScript(error),
    playwrightTestVideos: [],
  }

/** The page of a result. */
export const browserResultView: readonly ResultSection[] = [
  errorsSection,
  {
    title: 'What the browser saw',
    about: 'traceSummary',
    parts: [
      {
        kind: 'facts',
        facts: [
          { label: 'Errors on the console', path: 'traceSummary.consoleErrors' },
          { label: 'Failed requests', path: 'traceSummary.networkErrors' },
          { label: 'Failed documents', path: 'traceSummary.documentErrors' },
          { label: 'Errors of scripts', path: 'traceSummary.userScriptErrors' },
        ],
      },
    ],
  },
  {
    title: 'Pages',
    about: 'pages',
    parts: [
      {
        kind: 'items',
        path: 'pages',
        title: '{url}',
        nothing: 'No page was opened.',
        parts: [
          {
            kind: 'facts',
            facts: [
              { label: 'First byte', path: 'webVitals.TTFB.value', unit: 'ms' },
              { label: 'First content', path: 'webVitals.FCP.value', unit: 'ms' },
              { label: 'Largest content', path: 'webVitals.LCP.value', unit: 'ms' },
              { label: 'Layout shift', path: 'webVitals.CLS.value', unit: 'score' },
              { label: 'Blocked', path: 'webVitals.TBT.value', unit: 'ms' },
            ],
          },
        ],
      },
    ],
  },
  logSection,
]
