import type { Clock, RenewRequest } from '@vedette/wire'
import { asProblem, type Connection, type Session } from './connection.ts'
import type { ProtocolClient } from './protocol-client.ts'
import { sleep } from '../sleep.ts'

export interface RenewLoop {
  client: ProtocolClient
  connection: Connection
  clock: Clock
  signal: AbortSignal
  /** Called for every renewal. */
  request(): RenewRequest
  /** The server has read a request. */
  onRead(request: RenewRequest): void
  onCancelled(attemptId: string): void
}

/**
 * Renewals sent at once after a hello. Leases may be about to expire, and with the hello these are three samples of the
 * server's clock, of which one is likely to be quick.
 */
const atOnce = 2

/** Renews leases and reports the agent's condition, until the signal aborts. */
export async function renewLeases(loop: RenewLoop): Promise<void> {
  const { client, connection, clock, signal } = loop
  let latest: Session | undefined
  let renewals = 0
  while (!signal.aborted) {
    const session = await connection.ready(signal)
    if (session === undefined) return
    renewals = session === latest ? renewals + 1 : 0
    latest = session
    if (renewals >= atOnce) await sleep(clock, session.terms.renewEveryMs, signal)
    if (signal.aborted || connection.session !== session) continue
    try {
      const request = loop.request()
      const { cancelled } = await client.renew(request, [signal, session.ended])
      connection.confirm()
      loop.onRead(request)
      for (const attemptId of cancelled) loop.onCancelled(attemptId)
    } catch (error) {
      if (!signal.aborted) connection.lost(session, asProblem(error))
    }
  }
}
