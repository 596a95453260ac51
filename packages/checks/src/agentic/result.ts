import { agenticResultSchema } from '@vedette/wire'
import type { z } from 'zod'
import type { ResultParts } from '../core/check-type.ts'
import type { ResultSection } from '../core/result-view.ts'

type AgenticResult = z.infer<typeof agenticResultSchema>

/** What a run of an agentic check saw. Its result does not tell how long it took. */
export type AgenticEvidence = AgenticResult & { durationMs: number }

/** The type-specific part of a result. */
export const agenticTypePart = { resultKey: 'agenticCheckResult' as const, resultSchema: agenticResultSchema }

export function toAgenticResult(
  { prompt }: { prompt?: string },
  { evidence, error }: ResultParts<AgenticEvidence>,
): AgenticResult {
  if (evidence !== undefined) {
    const { durationMs: _, ...result } = evidence
    return result
  }
  return {
    summary: '',
    prompt: prompt ?? '',
    assertions: [],
    suggestions: [],
    steps: [],
    errors: error === undefined ? [] : [{ error: { message: error.text } }],
    artifactManifest: {},
  }
}

/** The page of a result. */
export const agenticResultView: readonly ResultSection[] = [
  { title: 'Summary', about: 'summary', parts: [{ kind: 'text', path: 'summary', nothing: 'It said nothing.' }] },
  {
    title: 'Expected and actual',
    about: 'assertions',
    parts: [
      {
        kind: 'table',
        path: 'assertions',
        columns: [
          { label: 'Condition', path: 'condition' },
          { label: 'Holds', path: 'passed' },
          { label: 'Expected', path: 'expected' },
          { label: 'Actual', path: 'actual' },
        ],
        nothing: 'Nothing was judged.',
      },
    ],
  },
  {
    title: 'Suggestions',
    about: 'suggestions',
    parts: [
      {
        kind: 'items',
        path: 'suggestions',
        title: '{summary}',
        parts: [{ kind: 'text', path: 'prompt' }],
        nothing: 'None.',
      },
    ],
  },
  {
    title: 'Steps',
    about: 'steps',
    parts: [
      {
        kind: 'items',
        path: 'steps',
        title: '{sequenceNumber}. {name}',
        parts: [{ kind: 'text', path: 'output' }],
        nothing: 'None was taken.',
      },
    ],
  },
  { title: 'Prompt', about: 'prompt', parts: [{ kind: 'text', path: 'prompt' }] },
]
