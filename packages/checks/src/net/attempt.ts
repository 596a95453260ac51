import type { Observation, RunContext } from '../core/check-type.ts'
import { startTimes } from '../core/run-clock.ts'
import { startDeadline, type Deadline } from './deadline.ts'
import { loopLag } from './loop-lag.ts'
import { HostTrouble, RunCancelled } from './target-error.ts'

/** What one attempt found, before its times are added. */
export type Finding<Evidence> = Pick<Observation<Evidence>, 'evidence' | 'error' | 'internalError' | 'certificate'>

/** What is no trouble of the target becomes an internal error; the rest is a bug. */
function internalErrorOf(error: unknown): Observation<never>['internalError'] {
  if (error instanceof RunCancelled) return { code: 'CANCELLED', text: error.message }
  if (error instanceof HostTrouble) return { code: error.code, text: error.message }
  throw error
}

/**
 * Makes one attempt of a network check: sets its deadline, adds its times, and reports a cancelled run and trouble of
 * this machine as an internal error.
 */
export async function observeAttempt<Evidence>(
  context: RunContext,
  timeoutMs: number,
  observe: (deadline: Deadline) => Promise<Finding<Evidence>>,
): Promise<Observation<Evidence>> {
  const { clock, signal } = context
  const times = startTimes(clock)
  const endWatch = loopLag.watch()
  const deadline = startDeadline(Math.min(timeoutMs, Math.max(0, context.deadline - clock.monotonic())), signal)
  let finding: Finding<Evidence>
  let timingUncertaintyMs = 0
  try {
    finding = await observe(deadline)
  } catch (error) {
    finding = { internalError: internalErrorOf(error) }
  } finally {
    deadline.close()
    timingUncertaintyMs = endWatch()
  }
  return { ...finding, ...times(), timingUncertaintyMs }
}
