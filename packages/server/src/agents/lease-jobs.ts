import type { Job, LeaseRequest } from '@vedette/wire'
import { unavailable } from '../api-error.ts'
import type { AgentApiDeps } from './agent-api-deps.ts'
import type { JoinedRuns } from './join-job.ts'
import type { AgentKey } from './store.ts'

/** Agents ask again after this long at the latest. */
export const longPollMs = 25_000

/** Waits for work and hands it out complete. */
export async function leaseJobs(
  deps: AgentApiDeps,
  key: AgentKey,
  wish: LeaseRequest & { signal: AbortSignal },
): Promise<Job[]> {
  const locations = await deps.keys.locationsOf(key)
  deps.onAsked(locations)
  const runs = await deps.queue.lease({
    keyId: key.id,
    agentId: wish.agentId,
    locations,
    free: wish.free,
    waitMs: Math.min(wish.waitMs, longPollMs),
    signal: wish.signal,
  })
  if (runs.length === 0) return []
  const ids = runs.map(({ ref }) => ref.attemptId)
  // A process whose term is over knows no checks and must not take a run for one of a deleted check.
  if (wish.signal.aborted || !deps.isLeading()) {
    await deps.queue.release(key.id, ids)
    return []
  }
  try {
    const joined = await deps.jobs.join(runs, key)
    await setAside(deps, joined)
    if (!wish.signal.aborted) return joined.jobs
    // The agent hung up while its runs were prepared: it would never hear of them.
    await deps.queue.release(
      key.id,
      joined.jobs.map(({ attemptId }) => attemptId),
    )
    return []
  } catch (error) {
    await deps.queue.release(key.id, ids)
    deps.log.error({ err: error }, 'Leased runs could not be joined with their definitions; they wait again.')
    throw unavailable('Runs cannot be handed out at this moment.', 1)
  }
}

async function setAside(deps: AgentApiDeps, { dropped, failed }: JoinedRuns): Promise<void> {
  if (dropped.length > 0) {
    await deps.queue.settle(dropped.map((ref) => ref.attemptId))
    await deps.onDropped(dropped)
  }
  for (const { ref, error } of failed) {
    deps.log.error({ err: error, checkId: ref.checkId, revision: ref.revision }, 'A run could not be prepared.')
    await deps.queue.settle([ref.attemptId])
    deps.onNotPrepared(ref)
  }
}
