import type { Clock, RenewRequest } from '@vedette/wire'
import { asProblem, type Connection } from './connection.ts'
import type { ProtocolClient } from './protocol-client.ts'
import { sleep } from '../sleep.ts'

export interface RenewLoop {
  client: ProtocolClient
  connection: Connection
  clock: Clock
  signal: AbortSignal
  /** Called for every renewal. */
  request(): RenewRequest
  onCancelled(attemptId: string): void
}

/** Renews leases and reports the agent's condition, until the signal aborts. */
export async function renewLeases(loop: RenewLoop): Promise<void> {
  const { client, connection, clock, signal } = loop
  while (!signal.aborted) {
    const terms = await connection.ready(signal)
    if (terms === undefined) return
    await sleep(clock, terms.renewEveryMs, signal)
    if (signal.aborted || connection.terms === undefined) continue
    try {
      const { cancelled } = await client.renew(loop.request(), signal)
      connection.confirm()
      for (const attemptId of cancelled) loop.onCancelled(attemptId)
    } catch (error) {
      if (!signal.aborted) connection.lost(asProblem(error))
    }
  }
}
