import { isoTime, isPrivateLocation } from '@vedette/wire'
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
  const ids = results
    .flatMap(({ location, status }) => [location ?? [], ...status.failingLocations].flat())
    .filter(isPrivateLocation)
  if (ids.length === 0) return publish(hub, results, new Map())
  publish(hub, results, await slugsById(ids))
}

function publish(
  hub: LiveHub,
  results: readonly CommittedResult[],
  slugs: ReadonlyMap<string, { slug: string }>,
): void {
  const slugOf = (location: string) => slugs.get(location)?.slug ?? location
  for (const { status, ...result } of results) {
    hub.publish(result.accountId, {
      kind: 'result',
      checkId: result.checkId,
      resultId: result.resultId,
      resultType: result.resultType,
      outcome: result.outcome,
      degraded: result.degraded,
      location: result.location === null ? null : slugOf(result.location),
      responseTime: result.responseMs,
      dueAt: new Date(result.dueAt).toISOString(),
      attempts: result.attempts,
      state: status.state,
      previousState: status.previousState,
      stateSince: isoTime(status.since),
      cause: status.cause,
      failingLocations: status.failingLocations.map(slugOf),
      lastPassAt: isoTime(status.lastPassAt),
    })
  }
}
