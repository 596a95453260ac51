import type { Clock } from '@vedette/wire'
import type { Log } from '../log.ts'
import { asProblem, type Connection, type Session } from '../protocol/connection.ts'
import { sleep } from '../sleep.ts'
import { sendResults, type Sending } from './send-results.ts'
import type { Spool } from './spool.ts'

const retryMs = 1000
/** While a server takes nothing for longer than this, what comes next is tried too: it may be that the oldest alone cannot be stored. */
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

/** Results that the server did not take. */
interface NotTaken {
  /** While it took others: those go first. */
  passedOver: Set<string>
  /** Passed over ones that were tried since all others were delivered. */
  triedAgain: Set<string>
  /** Tried behind the oldest since anything was taken. */
  probed: Set<string>
  /** Monotonic time at which the oldest were last taken. */
  tookAt: number
}

/**
 * Delivers what waits on disk while the server is there: in order, except that results which the server does not take
 * while it takes others hold up none. Never rejects.
 */
export async function replay(options: ReplayOptions): Promise<void> {
  const { connection, spool, clock, log, signal } = options
  const notTaken: NotTaken = {
    passedOver: new Set(),
    triedAgain: new Set(),
    probed: new Set(),
    tookAt: clock.monotonic(),
  }
  let delivered = 0
  while (spool.size > 0) {
    const { session } = connection
    if (session === undefined) break
    const settled = await replayNext(options, session, notTaken)
    delivered += settled
    if (settled > 0) continue
    if (signal.aborted) break
    await sleep(clock, retryMs, signal)
  }
  if (delivered > 0) log.info({ delivered, waiting: spool.size }, 'results from the spool are delivered')
}

/** Answers how many are settled. The oldest go first each time, so that a server that was ill receives all in order. */
async function replayNext(options: ReplayOptions, session: Session, notTaken: NotTaken): Promise<number> {
  const { connection, clock } = options
  const { settled, left } = await replayBatch(options, session, notTaken.passedOver)
  if (settled > 0) {
    notTaken.tookAt = clock.monotonic()
    notTaken.probed.clear()
    addAll(notTaken.passedOver, left)
    return settled
  }
  if (left.length === 0) return replayPassedOver(options, session, notTaken)
  const isPatient = clock.monotonic() - notTaken.tookAt < patienceMs
  return isPatient || connection.session !== session ? 0 : probe(options, session, notTaken, left)
}

/** Tries those that come after. When they are taken, it is the ones before that cannot be stored. */
async function probe(
  options: ReplayOptions,
  session: Session,
  { passedOver, probed }: NotTaken,
  oldest: readonly string[],
): Promise<number> {
  const { settled, left } = await replayBatch(options, session, new Set([...passedOver, ...oldest, ...probed]))
  if (settled > 0) addAll(passedOver, [...oldest, ...probed, ...left])
  if (settled > 0 || left.length === 0) probed.clear()
  else addAll(probed, left)
  return settled
}

/** All others are delivered: one batch of those passed over, the next one the next time. */
async function replayPassedOver(options: ReplayOptions, session: Session, { triedAgain }: NotTaken): Promise<number> {
  const { settled, left } = await replayBatch(options, session, triedAgain)
  if (settled > 0 || left.length === 0) triedAgain.clear()
  addAll(triedAgain, left)
  return settled
}

const addAll = (to: Set<string>, attemptIds: readonly string[]): void => {
  for (const attemptId of attemptIds) to.add(attemptId)
}

/** Answers what is settled and what is not. Trouble of the disk says nothing about the server, so both are caught apart. */
async function replayBatch(
  options: ReplayOptions,
  session: Session,
  except: ReadonlySet<string>,
): Promise<{ settled: number; left: string[] }> {
  const { connection, spool, log, sending, batch } = options
  try {
    const reports = await spool.oldest(batch.size, batch.bytes, except)
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
