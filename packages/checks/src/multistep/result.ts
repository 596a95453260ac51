import { z } from 'zod'
import type { ResultParts } from '../core/check-type.ts'
import type { ResultSection } from '../core/result-view.ts'
import { errorsSection, logSection, noScript, scriptResultFields } from '../core/script/script-result.ts'

const multiStepResultSchema = z
  .object(scriptResultFields)
  .meta({ id: 'MultiStepCheckResult', description: 'What a run of a multi-step check saw.' })

/** What a run of a multi-step check saw. */
export type MultiStepEvidence = z.infer<typeof multiStepResultSchema>

/** The type-specific part of a result. */
export const multiStepTypePart = { resultKey: 'multiStepCheckResult' as const, resultSchema: multiStepResultSchema }

export const toMultiStepResult = (
  _definition: unknown,
  { evidence, error }: ResultParts<MultiStepEvidence>,
): MultiStepEvidence => evidence ?? noScript(error)

/** The page of a result. */
export const multiStepResultView: readonly ResultSection[] = [errorsSection, logSection]
