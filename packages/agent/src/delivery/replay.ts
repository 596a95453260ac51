import type { Clock } from '@vedette/wire'
import type { Log } from '../log.ts'
import { asProblem, type Connection, type Session } from '../protocol/connection.ts'
import { sleep } from '../sleep.ts'
import { sendResults, type Sending } from './send-results.ts'
import type { Spool } from './spool.ts'

const retryMs = 1000

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

/** Delivers what waits on disk, in order, while the server is there. Never rejects. */
export async function replay(options: ReplayOptions): Promise<void> {
  const { connection, spool, clock, log, signal } = options
  let delivered = 0
  while (spool.size > 0) {
    const { session } = connection
    if (session === undefined) break
    const settled = await replayBatch(options, session)
    delivered += settled
    if (settled > 0) continue
    if (signal.aborted) break
    await sleep(clock, retryMs, signal)
  }
  if (delivered > 0) log.info({ delivered, waiting: spool.size }, 'results from the spool are delivered')
}

/** Answers how many results are settled. Trouble of the disk says nothing about the server, so both are caught apart. */
async function replayBatch(options: ReplayOptions, session: Session): Promise<number> {
  const { connection, spool, log, sending, batch } = options
  try {
    const reports = await spool.oldest(batch.size, batch.bytes)
    const settled = await sendResults(sending(session), reports).catch((error: unknown) => {
      connection.lost(session, asProblem(error))
      return new Set<string>()
    })
    if (settled.size > 0) connection.confirm()
    await spool.forget(settled)
    return settled.size
  } catch (error) {
    log.error({ error }, 'the spool cannot be read now; trying again')
    return 0
  }
}
