import {
  assignedFrequencyOffset,
  completeAlertSettings,
  completeRetryStrategy,
  frequencyOffsetRule,
  responseOnlyCheckFields,
  type FieldProblem,
} from '@vedette/wire'
import { assertionRule } from '../assertions/assertion-rules.ts'
import { defaultsOf, hasCommonField } from './check-schema.ts'
import type { AnyCheckType, Definition } from '../check-type.ts'
import { keepMaskedSecrets } from '../secrets/secret-paths.ts'
import { valueAt, withValueAt } from '../value-at.ts'

type SentRetryStrategy = Parameters<typeof completeRetryStrategy>[0]

const responseOnly = new Set<string>(responseOnlyCheckFields)

/** Drops the fields that only answers carry and those that were not sent. */
const sentFields = (input: Record<string, unknown>): Definition =>
  Object.fromEntries(Object.entries(input).filter(([name, value]) => value !== undefined && !responseOnly.has(name)))

function completeCommon(definition: Definition): Definition {
  const { alertSettings, retryStrategy } = definition
  const completed = { ...definition }
  if (alertSettings) completed.alertSettings = completeAlertSettings(alertSettings)
  if (retryStrategy) completed.retryStrategy = completeRetryStrategy(retryStrategy as SentRetryStrategy)
  return completed
}

/** Puts the token where the type expects one and the definition has none. */
function withEventToken(type: AnyCheckType, definition: Definition, token: unknown): Definition {
  if (type.mode.kind !== 'passive') return definition
  const { tokenPath } = type.mode.events
  return (valueAt(definition, tokenPath) ?? '') === '' ? withValueAt(definition, tokenPath, token) : definition
}

/** The token by which events name a check of a passive type; undefined for other types. */
export function eventTokenOf({ mode }: AnyCheckType, definition: Definition): string | undefined {
  const token = mode.kind === 'passive' ? valueAt(definition, mode.events.tokenPath) : undefined
  return typeof token === 'string' ? token : undefined
}

/**
 * The definition a create stores: defaults filled in, an offset assigned from the id when none was sent, and for
 * passive types `eventToken` when none was sent. `input` has passed `createSchema`; the whole is to be checked with
 * `ruleProblems` or `validateWhole`.
 */
export function completeDefinition(
  type: AnyCheckType,
  input: Record<string, unknown>,
  checkId: string,
  eventToken?: string,
): Definition {
  const filled = withEventToken(type, { ...defaultsOf(type), ...sentFields(input) }, eventToken)
  const definition = type.complete(completeCommon(filled))
  if (!hasCommonField(type, 'frequencyOffset') || definition.frequencyOffset !== undefined) return definition
  return { ...definition, frequencyOffset: assignedFrequencyOffset(checkId, definition.frequency as number) }
}

/**
 * The definition after an update: sent fields replace stored ones whole, a sent mask keeps the stored secret, an event
 * token that is not sent stays. An offset that was assigned is assigned anew when only the frequency is sent. `sent`
 * has passed `updateSchema`.
 */
export function mergeDefinition(
  type: AnyCheckType,
  stored: Definition,
  sent: Record<string, unknown>,
  checkId: string,
): Definition {
  const fields = sentFields(sent)
  const replaced = withEventToken(type, { ...stored, ...fields }, eventTokenOf(type, stored))
  const merged = keepMaskedSecrets(type, stored, type.complete(completeCommon(replaced)))
  if (fields.frequency === undefined || fields.frequencyOffset !== undefined) return merged
  const wasAssigned = stored.frequencyOffset === assignedFrequencyOffset(checkId, stored.frequency as number)
  if (!wasAssigned) return merged
  return { ...merged, frequencyOffset: assignedFrequencyOffset(checkId, merged.frequency as number) }
}

/**
 * What is wrong with a complete definition as a whole. Expressions are not compiled here; `validateWhole` of
 * `@vedette/checks/rules` does that too.
 */
export const ruleProblems = (type: AnyCheckType, definition: Definition): FieldProblem[] =>
  [frequencyOffsetRule, assertionRule(type), ...type.rules].flatMap((rule) => rule(definition))
