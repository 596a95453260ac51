import { request as httpRequest } from 'node:http'
import type { Socket } from 'node:net'
import type { EgressPolicy } from '../../core/check-type.ts'
import type { Deadline } from '../deadline.ts'
import { judgedName, type Egress, type GuardedConnection } from '../egress/egress.ts'
import { portOf, stripBrackets } from '../egress/host-name.ts'
import { formatEndpoint, formatLimit, HostTrouble, TargetError } from '../target-error.ts'
import type { TrustSettings } from '../tls/secure-contexts.ts'
import { secureSocket } from '../tls/tls.ts'
import { basicAuthorization, credentialsOf } from './credentials.ts'
import { maxHeaderSize } from './http-trouble.ts'

/** A proxy that stands between this machine and the targets. */
export interface HttpProxy {
  host: string
  port: number
  /** The connection to the proxy itself uses TLS. */
  secure: boolean
  /** Value of `Proxy-Authorization`; undefined where it asks for none. */
  authorization: string | undefined
}

/** Trouble of the proxy belongs to the location and says nothing about the target. */
const proxyTrouble = (text: string): HostTrouble => new HostTrouble('PROXY', text)

const named = ({ host, port }: HttpProxy): string => `The proxy of the location, ${formatEndpoint(host, port)},`

/** Reads the address of a proxy. Throws `HostTrouble` when it is none; the text does not repeat it. */
export function readProxy(address: string): HttpProxy {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw proxyTrouble('The address of the proxy of the location is no http or https address')
  const credentials = credentialsOf(url)
  return {
    host: stripBrackets(url.hostname),
    port: portOf(url),
    secure: url.protocol === 'https:',
    authorization: credentials === undefined ? undefined : basicAuthorization(credentials),
  }
}

export interface ProxyRoute {
  egress: Egress
  policy: EgressPolicy
  deadline: Deadline
  /** Epoch milliseconds, to state how long a certificate has been expired. */
  now: () => number
  /** Trust for the certificate of the proxy itself. */
  trust?: TrustSettings | undefined
}

/** A connection to the proxy. Times are in milliseconds. */
export interface ProxyConnection extends GuardedConnection {
  tlsMs: number
}

/** Connects to the proxy for a request to this target, which must be allowed as far as its name tells. */
export async function connectToProxy(
  proxy: HttpProxy,
  target: { host: string; port: number },
  { egress, policy, deadline, now, trust }: ProxyRoute,
): Promise<ProxyConnection> {
  judgedName(target.host, target.port, policy)
  const { host, port, secure } = proxy
  try {
    const connection = await egress.connect({ host, port, family: 'any' }, policy, deadline)
    if (!secure) return { ...connection, tlsMs: 0 }
    const wanted = { host, port, skipSSL: false, now, ...(trust && { trust }) }
    const { socket, tlsMs } = await secureSocket(connection.socket, wanted, deadline)
    return { ...connection, socket, tlsMs }
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    throw proxyTrouble(`${named(proxy)} cannot be used: ${error.message}`)
  }
}

/** Has the proxy connect to the target. Resolves when bytes on the socket reach it. */
export async function openTunnel(
  socket: Socket,
  proxy: HttpProxy,
  { host, port }: { host: string; port: number },
  deadline: Deadline,
): Promise<void> {
  const peer = formatEndpoint(host, port)
  const { authorization } = proxy
  const asking = httpRequest({
    createConnection: () => socket,
    method: 'CONNECT',
    path: peer,
    headers: { Host: peer, ...(authorization !== undefined && { 'Proxy-Authorization': authorization }) },
    setHost: false,
    maxHeaderSize,
  })
  try {
    await deadline.during<void>({
      start(succeed, fail) {
        asking.once('connect', (answer, _socket, head: Buffer) => {
          const refusal = refusalOf(proxy, peer, answer.statusCode ?? 0, answer.statusMessage ?? '')
          if (refusal !== undefined) return fail(refusal)
          if (head.length > 0) socket.unshift(head)
          succeed()
        })
        // Stays for the life of the request: without a listener a late error would end the process.
        asking.on('error', (error) => fail(proxyTrouble(`${named(proxy)} ended the connection: ${error.message}`)))
        asking.end()
      },
      stop: () => asking.destroy(),
      timedOut: () =>
        new TargetError(
          'tcp',
          'ETIMEDOUT',
          `no connection to ${peer} through the proxy within ${formatLimit(deadline.limitMs)}`,
        ),
    })
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** Why the proxy did not connect to the target. Its 5xx are about the target, all others about the proxy. */
function refusalOf(proxy: HttpProxy, peer: string, status: number, text: string): Error | undefined {
  if (status >= 200 && status < 300) return undefined
  const answer = `${status} ${text}`.trim()
  if (status >= 500)
    return new TargetError('tcp', `PROXY_${status}`, `the proxy could not connect to ${peer}: ${answer}`)
  if (status === 407) return needsCredentials(proxy)
  return proxyTrouble(`${named(proxy)} refuses to connect to ${peer}: ${answer}`)
}

/** The proxy does not accept the user and password, or asks for them. */
export const needsCredentials = (proxy: HttpProxy): HostTrouble =>
  proxyTrouble(`${named(proxy)} does not accept the user and password it was given (407)`)
