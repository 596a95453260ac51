import type { CheckResult } from '@vedette/checks'
import type { CheckState } from '@vedette/wire'

/** The check state that corresponds to a result's outcome. */
export function stateOfResult(result: Pick<CheckResult, 'outcome' | 'isDegraded'>): CheckState {
  if (result.outcome === 'fail') return 'failing'
  if (result.outcome === 'unknown') return 'unknown'
  return result.isDegraded ? 'degraded' : 'passing'
}
