import { isPrivateLocation, type CheckState } from '@vedette/wire'
import type { CommittedResult } from '../runs.ts'
import type { LiveHub } from './hub.ts'

/** Slugs of private locations by their ids. */
export type SlugsById = (ids: readonly string[]) => Promise<ReadonlyMap<string, { slug: string }>>

/** Notifies open pages of stored results. Only results of private locations wait for a database query. */
export async function publishCommitted(
  hub: LiveHub,
  results: readonly CommittedResult[],
  slugsById: SlugsById,
): Promise<void> {
  const ids = results.flatMap(({ location }) => location ?? []).filter(isPrivateLocation)
  if (ids.length === 0) return publish(hub, results, new Map())
  publish(hub, results, await slugsById(ids))
}

function publish(
  hub: LiveHub,
  results: readonly CommittedResult[],
  slugs: ReadonlyMap<string, { slug: string }>,
): void {
  for (const result of results) {
    hub.publish(result.accountId, {
      kind: 'result',
      checkId: result.checkId,
      resultId: result.resultId,
      resultType: result.resultType,
      outcome: result.outcome,
      degraded: result.degraded,
      location: slugs.get(result.location ?? '')?.slug ?? result.location,
      responseTime: result.responseMs,
      dueAt: new Date(result.dueAt).toISOString(),
      state: result.state as CheckState,
      cause: result.cause,
    })
  }
}
