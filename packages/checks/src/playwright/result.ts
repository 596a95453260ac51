import { z } from 'zod'
import type { ResultParts } from '../core/check-type.ts'
import type { ResultSection } from '../core/result-view.ts'
import { codeResultFields, errorsSection, logSection, noCode, videosField } from '../core/script/script-result.ts'

const playwrightResultSchema = z
  .object({
    ...codeResultFields,
    playwrightTraceFiles: z.array(z.object({ url: z.string(), name: z.string(), filename: z.string() })),
    playwrightTestVideos: videosField,
  })
  .meta({ id: 'PlaywrightCheckResult', description: 'What a run of a Playwright check saw.' })
type PlaywrightResult = z.infer<typeof playwrightResultSchema>

/** What a run of a Playwright check saw. Its result does not tell how long the tests took. */
export type PlaywrightEvidence = PlaywrightResult & { durationMs: number }

/** The type-specific part of a result. */
export const playwrightTypePart = { resultKey: 'playwrightCheckResult' as const, resultSchema: playwrightResultSchema }

export function toPlaywrightResult(
  _definition: unknown,
  { evidence, error }: ResultParts<PlaywrightEvidence>,
): PlaywrightResult {
  if (evidence === undefined) return { ...noCode(error), playwrightTraceFiles: [], playwrightTestVideos: [] }
  const { durationMs: _, ...result } = evidence
  return result
}

/** The page of a result. */
export const playwrightResultView: readonly ResultSection[] = [
  errorsSection,
  {
    title: 'Traces',
    about: 'playwrightTraceFiles',
    parts: [
      {
        kind: 'table',
        path: 'playwrightTraceFiles',
        columns: [
          { label: 'Test', path: 'name' },
          { label: 'File', path: 'filename' },
        ],
        nothing: 'None.',
      },
    ],
  },
  logSection,
]
