import type { AssertionOutcome, Verdict } from '@vedette/wire'
import { readableName } from './assertions/readable-name.ts'
import type { AnyCheckType, Definition, Observation } from './check-type.ts'
import { cutText } from './plain-text.ts'

/** Longest cause that is reported. */
const causeLimit = 2000

function failedAssertions(outcomes: readonly AssertionOutcome[]): string | undefined {
  const failed = outcomes.filter(({ passed }) => !passed)
  const [first] = failed
  if (first === undefined) return undefined
  const message =
    first.message ?? `Expected ${readableName(first.source)} ${readableName(first.comparison)} ${first.target}`
  const more = failed.length - 1
  return more === 0 ? message : `${message} (and ${more} more failed assertion${more === 1 ? '' : 's'})`
}

function limits(type: AnyCheckType, definition: Definition, evidence: unknown) {
  if (evidence === undefined) return { degraded: undefined, exceeded: undefined }
  return type.thresholds(definition, evidence)
}

/**
 * What follows from an observation. With an internal error the outcome is unknown. Otherwise the type's own judgement,
 * failed assertions and the time limits decide, in this order. Pure, and the same on agent and server.
 */
export function verdict(
  type: AnyCheckType,
  definition: Definition,
  observation: Observation<unknown>,
  assertions: readonly AssertionOutcome[],
): Verdict {
  const { evidence, error, internalError } = observation
  const outcomes = [...assertions]
  if (internalError !== undefined) {
    const cause = cutText(internalError.text, causeLimit)
    return { outcome: 'unknown', degraded: false, overMaxResponseTime: false, assertions: outcomes, cause }
  }
  const { degraded, exceeded } = limits(type, definition, evidence)
  const failure = type.judge(definition, evidence, error) ?? failedAssertions(outcomes) ?? exceeded
  return {
    outcome: failure === undefined ? 'pass' : 'fail',
    degraded: failure === undefined && degraded !== undefined,
    overMaxResponseTime: exceeded !== undefined,
    assertions: outcomes,
    cause: cutText(failure ?? degraded ?? '', causeLimit),
  }
}

/** True when only measured time made the run degraded or failed, so that a stall of the agent may be the cause. */
export function restsOnTimeAlone(
  type: AnyCheckType,
  definition: Definition,
  observation: Observation<unknown>,
  { outcome, degraded, assertions }: Verdict,
): boolean {
  if (type.mode.kind !== 'scheduled' || !type.mode.repeatWhenStalled) return false
  if (outcome === 'unknown' || (outcome === 'pass' && !degraded)) return false
  const { evidence, error } = observation
  if (type.judge(definition, evidence, error) !== undefined) return false
  return assertions.every(({ passed, source }) => passed || type.assertionSources[source]?.timed === true)
}
