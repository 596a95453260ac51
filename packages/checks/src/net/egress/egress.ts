import { connect as netConnect, isIP, type Socket } from 'node:net'
import type { EgressPolicy } from '../../core/check-type.ts'
import { classifyAddress } from './address.ts'
import type { Deadline } from '../deadline.ts'
import { createResolver, type FamilyChoice, type IpFamily, type Resolve } from '../dns/dns.ts'
import { normaliseHost } from './host-name.ts'
import { ownTargetAt } from './own-targets.ts'
import { codeOf, formatEndpoint, formatLimit, TargetError } from '../target-error.ts'

/** Opens a socket to a literal address. Injected where a test must not send a packet. */
export type Connector = (options: { host: string; port: number; autoSelectFamily: false }) => Socket

export interface EgressTarget {
  host: string
  port: number
  family: FamilyChoice
}

/** A connected socket whose peer was checked, and how long each step took in milliseconds. */
export interface GuardedConnection {
  socket: Socket
  address: string
  family: IpFamily
  dnsMs: number
  tcpMs: number
}

/** The guard of all outgoing connections: no other code of the product opens one. */
export interface Egress {
  /** Rejects with a `TargetError`; code `EGRESS_DENIED` when the policy forbids the target. */
  connect(target: EgressTarget, policy: EgressPolicy, deadline: Deadline): Promise<GuardedConnection>
}

export interface EgressOptions {
  connect?: Connector
  resolve?: Resolve
}

/** Why an address and port may not be reached, undefined when they may. */
export function denialOf(address: string, port: number, policy: EgressPolicy): string | undefined {
  const { reach, rule } = classifyAddress(address)
  if (reach === 'forbidden') return `${rule} are never reached`
  if (reach === 'private' && !policy.privateTargets) return `${rule} are not reached from here`
  if (ownTargetAt(address, port, policy.deniedTargets) !== undefined) return 'it belongs to Vedette itself'
  return undefined
}

const denied = (host: string, address: string, port: number, reason: string): TargetError => {
  const named = host === address ? formatEndpoint(address, port) : `${host} (${formatEndpoint(address, port)})`
  return new TargetError('egress', 'EGRESS_DENIED', `Not allowed to connect to ${named}: ${reason}`, { network: false })
}

/** Trouble of IPv6 on this machine or in DNS, for which a check falls back to IPv4. */
const withoutIPv6 = new Set(['DNS_NO_DATA', 'EAFNOSUPPORT', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EHOSTUNREACH'])

export function createEgress({ connect = netConnect, resolve = createResolver() }: EgressOptions = {}): Egress {
  const attempt = async (target: EgressTarget, policy: EgressPolicy, deadline: Deadline) => {
    const startedAt = performance.now()
    const addresses = await lookUp(resolve, target, deadline)
    const resolvedAt = performance.now()
    for (const address of addresses) {
      const reason = denialOf(address, target.port, policy)
      if (reason !== undefined) throw denied(target.host, address, target.port, reason)
    }
    const { socket, address } = await connectInTurn(connect, addresses, target.port, deadline)
    const connectedAt = performance.now()
    checkPeer(socket, target, policy)
    return {
      socket,
      address,
      family: isIP(address) === 6 ? ('IPv6' as const) : ('IPv4' as const),
      dnsMs: resolvedAt - startedAt,
      tcpMs: connectedAt - resolvedAt,
    }
  }

  return {
    async connect({ host, port, family }, policy, deadline) {
      const name = normaliseHost(host)
      if (name === undefined)
        throw new TargetError('dns', 'DNS_INVALID_NAME', `"${host}" is not a host name or address`)
      if (namesOwnTarget(name, port, policy)) throw denied(name, name, port, 'it belongs to Vedette itself')
      const startedAt = performance.now()
      try {
        return await attempt({ host: name, port, family }, policy, deadline)
      } catch (error) {
        const mayFallBack = family === 'IPv6' && isIP(name) === 0 && error instanceof TargetError
        if (!mayFallBack || !withoutIPv6.has(error.code)) throw error
        const lostMs = performance.now() - startedAt
        const connection = await attempt({ host: name, port, family: 'IPv4' }, policy, deadline)
        return { ...connection, dnsMs: connection.dnsMs + lostMs }
      }
    },
  }
}

/** A denied target given by name is denied under that name, whatever it resolves to. */
const namesOwnTarget = (host: string, port: number, { deniedTargets }: EgressPolicy): boolean =>
  deniedTargets.some((target) => target.port === port && target.address.toLowerCase() === host.replace(/\.$/, ''))

async function lookUp(
  resolve: Resolve,
  { host, family }: EgressTarget,
  deadline: Deadline,
): Promise<readonly string[]> {
  // Literals need no look-up, and they are frequent targets in private networks.
  if (isIP(host) !== 0) return [host]
  const over = new AbortController()
  const addresses = await deadline.during<readonly string[]>({
    start(succeed, fail) {
      resolve(host, family, { signal: over.signal, timeoutMs: deadline.remainingMs() }).then(succeed, fail)
    },
    stop: () => over.abort(),
    timedOut: () =>
      new TargetError(
        'dns',
        'DNS_TIMEOUT',
        `The DNS look-up of ${host} had no answer within ${formatLimit(deadline.limitMs)}`,
      ),
  })
  if (addresses.length === 0) throw new TargetError('dns', 'DNS_NO_DATA', `${host} has no address`)
  return addresses
}

/** When an address refuses, the next one is tried. A silent one uses up the time of the attempt. */
async function connectInTurn(
  connect: Connector,
  addresses: readonly string[],
  port: number,
  deadline: Deadline,
): Promise<{ socket: Socket; address: string }> {
  let failure: unknown
  for (const address of addresses) {
    try {
      return { socket: await connectTo(connect, address, port, deadline), address }
    } catch (error) {
      if (!(error instanceof TargetError) || error.code === 'ETIMEDOUT') throw error
      failure = error
    }
  }
  throw failure
}

function connectTo(connect: Connector, address: string, port: number, deadline: Deadline): Promise<Socket> {
  let socket: Socket | undefined
  return deadline.during<Socket>({
    start(succeed, fail) {
      socket = connect({ host: address, port, autoSelectFamily: false })
      const opened = socket
      // Stays for the life of the socket: without a listener an error after the exchange would end the process.
      opened.on('error', (error) => fail(connectTrouble(error, address, port)))
      opened.once('connect', () => succeed(opened))
    },
    stop: () => socket?.destroy(),
    timedOut: () =>
      new TargetError(
        'tcp',
        'ETIMEDOUT',
        `No connection to ${formatEndpoint(address, port)} within ${formatLimit(deadline.limitMs)}`,
      ),
  })
}

const connectTexts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused by',
  ECONNRESET: 'Connection reset while connecting to',
  ETIMEDOUT: 'The operating system gave up connecting to',
  EHOSTUNREACH: 'No route to',
  ENETUNREACH: 'No network that leads to',
  EADDRNOTAVAIL: 'No local address left or fit to reach',
  EAFNOSUPPORT: 'This machine does not speak the protocol family of',
}

function connectTrouble(error: Error, address: string, port: number): TargetError {
  const code = codeOf(error)
  const text = connectTexts[code] ?? 'Could not connect to'
  const detail = code in connectTexts ? '' : `: ${error.message}`
  return new TargetError('tcp', code, `${text} ${formatEndpoint(address, port)}${detail}`)
}

/**
 * Judges the address of the connected peer again: a changed route or a connector may lead to another one than intended.
 */
function checkPeer(socket: Socket, { host, port }: EgressTarget, policy: EgressPolicy): void {
  const { remoteAddress, remotePort } = socket
  if (remoteAddress === undefined) {
    socket.destroy()
    throw new TargetError('tcp', 'ECONNRESET', `Connection to ${formatEndpoint(host, port)} was closed at once`)
  }
  const reason = denialOf(remoteAddress, remotePort ?? port, policy)
  if (reason === undefined) return
  socket.destroy()
  throw denied(host, remoteAddress, remotePort ?? port, reason)
}
