import type { Job, LeaseRequest } from '@vedette/wire'
import { ApiError, unauthorized, unavailable } from '../../api-error.ts'
import type { AgentApiDeps } from '../agent-api-deps.ts'
import type { JoinedRuns } from './join-job.ts'
import type { AgentKey } from '../store.ts'

/** The longest long poll, in milliseconds. */
export const longPollMs = 25_000

/** Waits for runs and returns them as complete jobs. */
export async function leaseJobs(
  deps: AgentApiDeps,
  key: AgentKey,
  wish: LeaseRequest & { signal: AbortSignal },
): Promise<Job[]> {
  const { work } = deps
  const runs = await work.lease({
    keyId: key.id,
    agentId: wish.agentId,
    locations: await deps.keys.locationsOf(key),
    free: wish.free,
    waitMs: Math.min(wish.waitMs, longPollMs),
    signal: wish.signal,
  })
  if (runs.length === 0) return []
  deps.onLeased(runs)
  try {
    // It may have been revoked during the long poll, or its location changed.
    const current = await deps.keys.current(key)
    if (current === undefined) throw unauthorized('The location key was revoked.')
    const joined = await deps.jobs.join(runs, current)
    for (const failure of joined.failed) setAside(deps, failure)
    if (!wish.signal.aborted) return joined.jobs
    // The agent closed the connection while its runs were prepared: it cannot receive them.
    await work.release(
      key.id,
      joined.jobs.map(({ attemptId }) => attemptId),
    )
    return []
  } catch (error) {
    await work.release(
      key.id,
      runs.map(({ ref }) => ref.attemptId),
    )
    if (error instanceof ApiError) throw error
    deps.log.error({ err: error }, 'Leased runs could not be joined with their definitions; they wait again.')
    throw unavailable('Runs cannot be handed out at this moment.', 1)
  }
}

function setAside({ log, work }: AgentApiDeps, { ref, error }: JoinedRuns['failed'][number]): void {
  log.error({ err: error, checkId: ref.checkId, revision: ref.revision }, 'A run could not be prepared.')
  work.notPrepared(ref)
}
