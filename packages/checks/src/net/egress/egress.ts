import { connect as netConnect, isIP, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { EgressPolicy } from '../../core/check-type.ts'
import { classifyAddress } from './address.ts'
import type { Deadline } from '../deadline.ts'
import { createResolver, type FamilyChoice, type IpFamily, type Resolve } from '../dns/dns.ts'
import { normaliseHost } from './host-name.ts'
import { hasNetwork, ownNetworkTrouble, type Interfaces } from './own-network.ts'
import { ownTargetAt } from './own-targets.ts'
import { codeOf, formatEndpoint, formatLimit, HostTrouble, TargetError } from '../target-error.ts'

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
  /**
   * Rejects with a `TargetError`, code `EGRESS_DENIED` when the policy forbids the target; with `HostTrouble` when this
   * machine is the reason.
   */
  connect(target: EgressTarget, policy: EgressPolicy, deadline: Deadline): Promise<GuardedConnection>
  /** The addresses of a target, all of which the policy allows. Rejects as `connect` does. */
  addressesOf(target: EgressTarget, policy: EgressPolicy, deadline: Deadline): Promise<readonly string[]>
}

export interface EgressOptions {
  connect?: Connector
  resolve?: Resolve
  interfaces?: Interfaces
}

/** Why an address and port may not be reached, undefined when they may. */
export function denialOf(address: string, port: number, policy: EgressPolicy): string | undefined {
  const { reach, rule } = classifyAddress(address)
  if (reach === 'forbidden') return `${rule} are never reached`
  if (reach === 'private' && !policy.privateTargets) return `${rule} are not reached from here`
  if (ownTargetAt(address, port, policy.deniedTargets) !== undefined) return 'it belongs to Vedette itself'
  return undefined
}

/** The error of a target that may not be reached. */
export const denied = (host: string, address: string, port: number, reason: string): TargetError => {
  const named = host === address ? formatEndpoint(address, port) : `${host} (${formatEndpoint(address, port)})`
  return new TargetError('egress', 'EGRESS_DENIED', `Not allowed to connect to ${named}: ${reason}`, { network: false })
}

/** Trouble of IPv6 on this machine or in DNS, for which a check falls back to IPv4. */
const withoutIPv6 = new Set([
  'NO_NETWORK',
  'DNS_NO_DATA',
  'EAFNOSUPPORT',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EHOSTUNREACH',
])

export function createEgress({
  connect = netConnect,
  resolve = createResolver(),
  interfaces = networkInterfaces,
}: EgressOptions = {}): Egress {
  const allowed = async (target: EgressTarget, policy: EgressPolicy, deadline: Deadline) => {
    const addresses = await lookUp(resolve, target, deadline).catch((error: unknown) => {
      throw dnsTrouble(error, target.host, interfaces)
    })
    for (const address of addresses) {
      const reason = denialOf(address, target.port, policy)
      if (reason !== undefined) throw denied(target.host, address, target.port, reason)
    }
    return addresses
  }
  const attempt = async (target: EgressTarget, policy: EgressPolicy, deadline: Deadline) => {
    const startedAt = performance.now()
    const addresses = await allowed(target, policy, deadline)
    const resolvedAt = performance.now()
    const { socket, address } = await connectInTurn({ connect, interfaces }, addresses, target.port, deadline)
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
    addressesOf: async ({ host, port, family }, policy, deadline) =>
      await allowed({ host: judgedName(host, port, policy), port, family }, policy, deadline),
    async connect({ host, port, family }, policy, deadline) {
      const name = judgedName(host, port, policy)
      const startedAt = performance.now()
      try {
        return await attempt({ host: name, port, family }, policy, deadline)
      } catch (error) {
        const mayFallBack = family === 'IPv6' && isIP(name) === 0 && withoutIPv6.has(codeOf(error))
        if (!mayFallBack) throw error
        const lostMs = performance.now() - startedAt
        const connection = await attempt({ host: name, port, family: 'IPv4' }, policy, deadline).catch(
          (second: unknown) => {
            // A target with IPv6 addresses only cannot be judged by a machine without IPv6.
            throw error instanceof HostTrouble && codeOf(second) === 'DNS_NO_DATA' ? error : second
          },
        )
        return { ...connection, dnsMs: connection.dnsMs + lostMs }
      }
    },
  }
}

/**
 * The host in its one form. Throws for a target that the policy forbids by its name, or by its address when that is given
 * in place of a name: all that can be judged of one that a proxy looks up.
 */
export function judgedName(host: string, port: number, policy: EgressPolicy): string {
  const name = normaliseHost(host)
  if (name === undefined) throw new TargetError('dns', 'DNS_INVALID_NAME', `"${host}" is not a host name or address`)
  const reason = namesOwnTarget(name, port, policy)
    ? 'it belongs to Vedette itself'
    : isIP(name) === 0
      ? undefined
      : denialOf(name, port, policy)
  if (reason !== undefined) throw denied(name, name, port, reason)
  return name
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

/** A look-up that got no answer says nothing about the name when this machine has no network. */
export function dnsTrouble(error: unknown, host: string, interfaces: Interfaces): unknown {
  const code = codeOf(error)
  if ((code !== 'DNS_TIMEOUT' && code !== 'DNS_SERVER_FAILURE') || hasNetwork(interfaces)) return error
  return new HostTrouble('NO_NETWORK', `${host} could not be looked up: this machine has no network`)
}

/** When an address refuses, the next one is tried. A silent one uses up the time of the attempt. */
async function connectInTurn(
  by: { connect: Connector; interfaces: Interfaces },
  addresses: readonly string[],
  port: number,
  deadline: Deadline,
): Promise<{ socket: Socket; address: string }> {
  const failures: unknown[] = []
  for (const address of addresses) {
    try {
      return { socket: await connectTo(by, address, port, deadline), address }
    } catch (error) {
      const mayTryNext = error instanceof HostTrouble || (error instanceof TargetError && error.code !== 'ETIMEDOUT')
      if (!mayTryNext) throw error
      failures.push(error)
    }
  }
  // What one address of the target says counts more than that another one cannot be reached from here.
  throw failures.findLast((error) => error instanceof TargetError) ?? failures.at(-1)
}

function connectTo(
  { connect, interfaces }: { connect: Connector; interfaces: Interfaces },
  address: string,
  port: number,
  deadline: Deadline,
): Promise<Socket> {
  let socket: Socket | undefined
  return deadline.during<Socket>({
    start(succeed, fail) {
      socket = connect({ host: address, port, autoSelectFamily: false })
      const opened = socket
      // Stays for the life of the socket: without a listener an error after the exchange would end the process.
      opened.on('error', (error) => fail(connectTrouble(error, { address, port }, interfaces)))
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

function connectTrouble(
  error: Error,
  { address, port }: { address: string; port: number },
  interfaces: Interfaces,
): TargetError | HostTrouble {
  const code = codeOf(error)
  const own = ownNetworkTrouble(code, { address, port }, interfaces)
  if (own !== undefined) return own
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
