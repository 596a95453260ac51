import { isFinalStatus, type CheckSessionWithResults } from '@vedette/wire'
import { notFound } from '../../api-error.ts'
import type { ApiDeps } from '../api-deps.ts'
import { readResults, readSession } from './store.ts'
import { toSessionWithResults } from './to-session.ts'

type Deps = Pick<ApiDeps, 'db' | 'clock' | 'baseUrl' | 'sessionEnds'>

export async function showSession(
  { db, clock, baseUrl }: Deps,
  account: string,
  id: string,
): Promise<CheckSessionWithResults> {
  const row = await readSession(db.pool, account, id)
  if (row === undefined) throw notFound('check session')
  const results = await readResults(db.pool, [row])
  return toSessionWithResults(row, results, { baseUrl: baseUrl(), now: clock.now() })
}

interface Wait {
  account: string
  id: string
  forMs: number
  /** The caller went away. */
  signal: AbortSignal
}

/** It is looked at again also when nothing is announced: its time may be over. */
const lookAgainMs = 5000

/** The session once it is over; undefined when it is not over after this time. */
export async function awaitSession(
  deps: Deps,
  { account, id, forMs, signal }: Wait,
): Promise<CheckSessionWithResults | undefined> {
  const { clock, sessionEnds } = deps
  const until = clock.monotonic() + forMs
  const { checkId } = await showSession(deps, account, id)
  const watch = sessionEnds.watch(checkId, signal)
  try {
    for (;;) {
      const session = await showSession(deps, account, id)
      if (isFinalStatus(session.status)) return session
      const leftMs = until - clock.monotonic()
      if (leftMs <= 0 || !watch.isOpen()) return undefined
      await watch.changed(Math.min(leftMs, lookAgainMs))
    }
  } finally {
    watch.close()
  }
}
