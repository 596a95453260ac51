import type { Interfaces } from '../egress/own-network.ts'
import { ownNetworkTrouble } from '../egress/own-network.ts'
import { formatEndpoint, formatLimit, HostTrouble, TargetError } from '../target-error.ts'
import { MalformedReply } from './dns-parts.ts'
import { NameserverTrouble, type Nameserver } from './dns-transport.ts'

/** Who is asked, as failures call them. */
export interface AskedServers {
  nameservers: readonly Nameserver[]
  /** The name that led to them; undefined where addresses were given. */
  host: string | undefined
  protocol: 'UDP' | 'TCP'
}

/** What came besides an answer. */
export interface Course {
  /** Messages that did not belong to the question. */
  strays: number
  /** Why the question was asked over TCP although UDP was wanted. */
  overTcpBecause: string | undefined
}

/** `192.0.2.53:53`, with the name that led there. */
export const namedServer = ({ address, port }: Nameserver, host: string | undefined): string =>
  host === undefined ? formatEndpoint(address, port) : `${host} (${formatEndpoint(address, port)})`

function likelyCause(protocol: AskedServers['protocol'], { strays, overTcpBecause }: Course): string {
  if (overTcpBecause !== undefined) return `: it ${overTcpBecause}, and over TCP nothing came`
  if (strays > 0) {
    const came = strays === 1 ? 'a message came that does' : `${strays} messages came that do`
    return `: only ${came} not belong to the question, as from a broken server or a forger`
  }
  return protocol === 'TCP' ? '' : ': question or answer got lost on the way, or no name server is there'
}

/** The error of name servers that were silent. */
export function silence({ nameservers, host, protocol }: AskedServers, course: Course, limitMs: number): TargetError {
  const who = nameservers.map((nameserver) => namedServer(nameserver, host)).join(', ')
  const text = `no answer from ${who} over ${protocol} within ${formatLimit(limitMs)}`
  return new TargetError('query', 'ETIMEDOUT', text + likelyCause(protocol, course))
}

const reached: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no name server is there: the datagram was refused',
  EHOSTUNREACH: 'no route leads there',
  ENETUNREACH: 'no network leads there',
}

/** What one name server did wrong, as trouble of the target or of this machine. Time-outs stay what they are. */
export function troubleWith(
  nameserver: Nameserver,
  host: string | undefined,
  error: unknown,
  interfaces: Interfaces,
): unknown {
  const who = namedServer(nameserver, host)
  if (error instanceof MalformedReply)
    return new TargetError('query', 'DNS_MALFORMED', `${who} sent an answer that cannot be read: ${error.message}`)
  if (!(error instanceof NameserverTrouble) || error.timedOut) return error
  const { code } = error
  if (code === undefined) return new TargetError('query', 'DNS_NO_ANSWER', `${who}: ${error.message}`)
  const own = ownNetworkTrouble(code, nameserver, interfaces)
  if (own !== undefined) return own
  return new TargetError('query', code, `${who}: ${reached[code] ?? error.message}`)
}

const isSilence = (error: unknown): boolean =>
  (error instanceof NameserverTrouble && error.timedOut) || (error instanceof TargetError && error.code === 'ETIMEDOUT')

/** Which of several troubles says most of the target: an error, then silence, then what only this machine lacks. */
export function mostTelling(troubles: readonly unknown[], silent: () => TargetError): unknown {
  const said = troubles.findLast((error) => !(error instanceof HostTrouble) && !isSilence(error))
  return said ?? (troubles.some(isSilence) || troubles.length === 0 ? silent() : troubles.at(-1))
}
