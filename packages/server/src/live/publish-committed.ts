import type { CheckState } from '@vedette/wire'
import type { CommittedResult } from '../runs.ts'
import type { LiveHub } from './hub.ts'

/** Tells open pages of what was just stored. */
export function publishCommitted(hub: LiveHub, results: readonly CommittedResult[]): void {
  for (const result of results) {
    hub.publish(result.accountId, {
      kind: 'result',
      checkId: result.checkId,
      resultId: result.resultId,
      resultType: result.resultType,
      outcome: result.outcome,
      degraded: result.degraded,
      location: result.location,
      responseTime: result.responseMs,
      dueAt: new Date(result.dueAt).toISOString(),
      state: result.state as CheckState,
      cause: result.cause,
    })
  }
}
