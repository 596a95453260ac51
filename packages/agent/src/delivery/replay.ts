import type { Clock } from '@vedette/wire'
import type { Log } from '../log.ts'
import { asProblem, type Connection, type Session } from '../protocol/connection.ts'
import { sleep } from '../sleep.ts'
import { sendResults, type Sending } from './send-results.ts'
import type { Spool } from './spool.ts'

const retryMs = 1000
/** A server that takes nothing for this long is asked for what comes next, too: it may be that these alone cannot be stored. */
const patienceMs = 10_000

export interface ReplayOptions {
  connection: Connection
  spool: Spool
  clock: Clock
  log: Log
  sending: (session: Session) => Sending
  batch: { size: number; bytes: number }
  /** Aborts when the agent stops: what makes no progress then is left to the next process. */
  signal: AbortSignal
}

/**
 * Delivers what waits on disk while the server is there: in order, except that results which the server does not take
 * while it takes others hold up none. Never rejects.
 */
export async function replay(options: ReplayOptions): Promise<void> {
  const { connection, spool, clock, log, signal } = options
  const passedOver = new Set<string>()
  let delivered = 0
  let tookAt = clock.monotonic()
  while (spool.size > 0) {
    const { session } = connection
    if (session === undefined) break
    const { settled, left } = await replayBatch(options, session, passedOver)
    delivered += settled
    const now = clock.monotonic()
    if (settled > 0) tookAt = now
    if (settled > 0 || now - tookAt >= patienceMs) for (const attemptId of left) passedOver.add(attemptId)
    if (settled > 0) continue
    // All others were tried: from the beginning again.
    if (left.length === 0) passedOver.clear()
    if (signal.aborted) break
    await sleep(clock, retryMs, signal)
  }
  if (delivered > 0) log.info({ delivered, waiting: spool.size }, 'results from the spool are delivered')
}

/** Answers what is settled and what is not. Trouble of the disk says nothing about the server, so both are caught apart. */
async function replayBatch(
  options: ReplayOptions,
  session: Session,
  passedOver: ReadonlySet<string>,
): Promise<{ settled: number; left: string[] }> {
  const { connection, spool, log, sending, batch } = options
  try {
    const reports = await spool.oldest(batch.size, batch.bytes, passedOver)
    const settled = await sendResults(sending(session), reports).catch((error: unknown) => {
      connection.lost(session, asProblem(error))
      return new Set<string>()
    })
    if (settled.size > 0) connection.confirm()
    await spool.forget(settled)
    const left = reports.filter(({ attemptId }) => !settled.has(attemptId)).map(({ attemptId }) => attemptId)
    return { settled: settled.size, left }
  } catch (error) {
    log.error({ error }, 'the spool cannot be read now; trying again')
    return { settled: 0, left: [] }
  }
}
