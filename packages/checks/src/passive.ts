import type { AnyCheckType, Definition } from './core/check-type.ts'
import type { PassiveResult } from './core/passive.ts'
import { reportOf, scrubberOf, type ReportBody } from './core/report.ts'
import { verdict } from './core/verdict.ts'

/** The report of one result that a passive type decided on. Nothing ran, so it starts and ends at its due time. */
export function passiveReport(
  type: AnyCheckType,
  definition: Definition,
  { dueAt, evidence }: PassiveResult<unknown>,
): ReportBody {
  const observation = { startedAt: dueAt, stoppedAt: dueAt, timingUncertaintyMs: 0, evidence }
  return reportOf(type, definition, {
    observation,
    verdict: verdict(type, definition, observation, []),
    scrubber: scrubberOf(type, definition, { variables: [] }, evidence),
  })
}
