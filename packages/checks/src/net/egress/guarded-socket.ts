import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { EgressPolicy } from '../../core/check-type.ts'
import { startDeadline } from '../deadline.ts'
import { createEgress, type Egress } from './egress.ts'
import { secureSocket } from '../tls/tls.ts'
import type { TrustSettings } from '../tls/secure-contexts.ts'

/** `limitMs` is the time limit for establishing an outgoing connection. */
export interface GuardedOptions {
  signal?: AbortSignal
  limitMs: number
  /** Epoch milliseconds, to state how long a certificate has been expired. */
  now?: () => number
  egress?: Egress
}

const systemEgress = createEgress()

/**
 * A connected socket for notifications and the like, opened through the egress guard: every address checked before, the
 * peer after. Rejects with a `TargetError`, code `EGRESS_DENIED` when the policy forbids the target.
 */
export async function guardedConnect(
  host: string,
  port: number,
  policy: EgressPolicy,
  { signal, limitMs, egress = systemEgress }: GuardedOptions,
): Promise<Socket> {
  const limit = startDeadline(limitMs, signal)
  try {
    return (await egress.connect({ host, port, family: 'any' }, policy, limit)).socket
  } finally {
    limit.close()
  }
}

/** The same with TLS: chain and name are verified, and it rejects with what is wrong with the certificate. */
export async function guardedTlsConnect(
  host: string,
  port: number,
  policy: EgressPolicy,
  options: GuardedOptions & { trust?: TrustSettings },
): Promise<TLSSocket> {
  const { signal, limitMs, now = Date.now, egress = systemEgress, trust } = options
  const limit = startDeadline(limitMs, signal)
  try {
    const { socket } = await egress.connect({ host, port, family: 'any' }, policy, limit)
    const secured = await secureSocket(socket, { host, port, skipSSL: false, now, ...(trust && { trust }) }, limit)
    return secured.socket
  } finally {
    limit.close()
  }
}

/** The parameters that undici and similar libraries pass to their `connect` hook. */
export interface ConnectRequest {
  hostname: string
  protocol?: string
  port?: string | number
}
type ConnectCallback = (error: Error | null, socket: Socket | null) => void

const defaultConnectMs = 10_000

/**
 * A `connect` hook in the form of undici's. A dispatcher that uses it opens all its connections through the guard. The
 * certificates of HTTPS targets are verified here.
 */
export function guardedConnector(policy: EgressPolicy, { connectMs = defaultConnectMs }: { connectMs?: number } = {}) {
  return ({ hostname, protocol, port }: ConnectRequest, settle: ConnectCallback): void => {
    const secure = protocol === 'https:'
    const open = secure ? guardedTlsConnect : guardedConnect
    const portNumber = Number(port) || (secure ? 443 : 80)
    open(hostname, portNumber, policy, { limitMs: connectMs }).then(
      (socket) => settle(null, socket),
      (error: unknown) => settle(error instanceof Error ? error : new Error(String(error)), null),
    )
  }
}
