import type { Clock } from '@vedette/wire'
import { asProblem, type Connection, type Session } from './connection.ts'
import type { ProbePool } from '../execution/probe-pool.ts'
import type { ProtocolClient } from './protocol-client.ts'
import { sleep } from '../sleep.ts'
import type { Capacity } from '../execution/capacity.ts'

/**
 * Under load calls are this far apart, so that each carries several jobs. After an idle period a job is taken at once.
 */
const spacingMs = 100

export interface LeaseLoop {
  agentId: string
  client: ProtocolClient
  connection: Connection
  capacity: Capacity
  /** Work is taken only when a thread can run it: otherwise it would wait here although another agent might be free. */
  threads: Pick<ProbePool, 'available'>
  clock: Clock
  signal: AbortSignal
  accept(jobs: readonly unknown[]): void
}

/** Asks for work of one worker class until the signal aborts. */
export async function leaseJobs(loop: LeaseLoop): Promise<void> {
  const { connection, capacity, clock, signal } = loop
  while (!signal.aborted) {
    await capacity.available(signal)
    await loop.threads.available(signal)
    const session = await connection.ready(signal)
    if (session === undefined) return
    const askedAt = clock.monotonic()
    const { free } = capacity
    try {
      const jobs = await ask(loop, session, free)
      // A server hands out no more than it is asked for; for what comes besides there is no room.
      loop.accept(jobs.slice(0, free))
      connection.confirm()
    } catch (error) {
      if (signal.aborted) return
      connection.lost(session, asProblem(error))
    }
    await sleep(clock, spacingMs - (clock.monotonic() - askedAt), signal)
  }
}

/** The poll ends with its session too: the next leader must not wait until the last one's silence has timed out. */
const ask = (
  { client, agentId, capacity, signal }: LeaseLoop,
  { terms, ended }: Session,
  free: number,
): Promise<unknown[]> =>
  client.lease({ agentId, free: { [capacity.workerClass]: free }, waitMs: terms.longPollMs }, [signal, ended])
