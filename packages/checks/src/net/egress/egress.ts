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
import { noteContact, type Contact } from './contact.ts'

/** Opens a socket to a literal address. Injected where a test must not send a packet. */
export type Connector = (options: { host: string; port: number; autoSelectFamily: false }) => Socket

/** A host to reach; without a port for what has none. */
export interface EgressHost {
  host: string
  port?: number
  family: FamilyChoice
}

export interface EgressTarget extends EgressHost {
  port: number
  /** Hears of each connection that is tried, before it is known what becomes of it. */
  tried?: ((contact: Contact) => void) | undefined
}

/** The address that was reached, and how long the look-up of the name took in milliseconds. */
interface Reached {
  address: string
  family: IpFamily
  dnsMs: number
}

/** A connected socket whose peer was checked, and how long each step took in milliseconds. */
export interface GuardedConnection extends Reached {
  socket: Socket
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
  /**
   * Has `send` reach a host without a connection: it gets one address of the host, after all of them were checked, and must
   * use that one and not the name. Rejects like `connect`, and with what `send` throws.
   */
  reach<Answer>(
    target: Omit<EgressHost, 'port'>,
    policy: EgressPolicy,
    deadline: Deadline,
    send: (address: string) => Promise<Answer>,
  ): Promise<Reached & { answer: Answer }>
}

export interface EgressOptions {
  connect?: Connector
  resolve?: Resolve
  interfaces?: Interfaces
}

/** Why an address and port may not be reached, undefined when they may. Without a port nothing of Vedette listens. */
export function denialOf(address: string, port: number | undefined, policy: EgressPolicy): string | undefined {
  const { reach, rule } = classifyAddress(address)
  if (reach === 'forbidden') return `${rule} are never reached`
  if (reach === 'private' && !policy.privateTargets) return `${rule} are not reached from here`
  if (port !== undefined && ownTargetAt(address, port, policy.deniedTargets) !== undefined)
    return 'it belongs to Vedette itself'
  return undefined
}

/** The error of a target that may not be reached. */
export const denied = (host: string, address: string, port: number | undefined, reason: string): TargetError => {
  const named = host === address ? formatEndpoint(address, port) : `${host} (${formatEndpoint(address, port)})`
  const text = `not allowed to ${port === undefined ? 'reach' : 'connect to'} ${named}: ${reason}`
  return new TargetError('egress', 'EGRESS_DENIED', text, { network: false })
}

/** Most addresses of a name that are tried: whoever owns it could have us connect to thousands of others. */
const mostAddresses = 16

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
  const judged = judge({ resolve, interfaces })
  return {
    async connect(target, policy, deadline) {
      const { answer, ...reached } = await judged(target, policy, deadline, async (addresses) => {
        const startedAt = performance.now()
        const { socket, address } = await connectInTurn({ connect, interfaces }, addresses, target, deadline)
        const tcpMs = performance.now() - startedAt
        checkPeer(socket, target, policy)
        return { address, answer: { socket, tcpMs } }
      })
      return { ...reached, ...answer }
    },
    addressesOf: async (target, policy, deadline) => {
      const use = (all: readonly string[]) => Promise.resolve({ address: all[0] ?? '', answer: all })
      return (await judged(target, policy, deadline, use)).answer
    },
    reach: ({ host, family }, policy, deadline, send) =>
      judged({ host, family }, policy, deadline, async ([address = '']) => ({ address, answer: await send(address) })),
  }
}

/** Hands the addresses of a host on when all of them are allowed, and falls back to IPv4 where IPv6 leads nowhere. */
function judge({ resolve, interfaces }: { resolve: Resolve; interfaces: Interfaces }) {
  const attempt = async <Answer>(
    target: EgressHost,
    policy: EgressPolicy,
    deadline: Deadline,
    use: (addresses: readonly string[]) => Promise<{ address: string; answer: Answer }>,
  ) => {
    const startedAt = performance.now()
    const addresses = await lookUp(resolve, target, deadline).catch((error: unknown) => {
      throw dnsTrouble(error, target.host, interfaces)
    })
    const dnsMs = performance.now() - startedAt
    for (const address of addresses) {
      const reason = denialOf(address, target.port, policy)
      if (reason !== undefined) throw denied(target.host, address, target.port, reason)
    }
    const { address, answer } = await use(addresses.slice(0, mostAddresses))
    return { answer, address, family: isIP(address) === 6 ? ('IPv6' as const) : ('IPv4' as const), dnsMs }
  }

  return async <Answer>(
    target: EgressHost,
    policy: EgressPolicy,
    deadline: Deadline,
    use: (addresses: readonly string[]) => Promise<{ address: string; answer: Answer }>,
  ) => {
    const host = judgedName(target.host, target.port, policy)
    const startedAt = performance.now()
    try {
      return await attempt({ ...target, host }, policy, deadline, use)
    } catch (error) {
      const mayFallBack = target.family === 'IPv6' && isIP(host) === 0 && withoutIPv6.has(codeOf(error))
      if (!mayFallBack) throw error
      const lostMs = performance.now() - startedAt
      const reached = await attempt({ ...target, host, family: 'IPv4' }, policy, deadline, use).catch(
        (second: unknown) => {
          // A target with IPv6 addresses only cannot be judged by a machine without IPv6.
          throw error instanceof HostTrouble && codeOf(second) === 'DNS_NO_DATA' ? error : second
        },
      )
      return { ...reached, dnsMs: reached.dnsMs + lostMs }
    }
  }
}

/**
 * The host in its one form. Throws for a target that the policy forbids by its name, or by its address when that is given
 * in place of a name: all that can be judged of one that a proxy looks up.
 */
export function judgedName(host: string, port: number | undefined, policy: EgressPolicy): string {
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
const namesOwnTarget = (host: string, port: number | undefined, { deniedTargets }: EgressPolicy): boolean =>
  deniedTargets.some((target) => target.port === port && target.address.toLowerCase() === host.replace(/\.$/, ''))

async function lookUp(resolve: Resolve, { host, family }: EgressHost, deadline: Deadline): Promise<readonly string[]> {
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
        `the look-up of ${host} had no answer within ${formatLimit(deadline.limitMs)}`,
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
  target: EgressTarget,
  deadline: Deadline,
): Promise<{ socket: Socket; address: string }> {
  const failures: unknown[] = []
  for (const address of addresses) {
    try {
      return { socket: await connectTo(by, address, target, deadline), address }
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
  { host, port, tried }: EgressTarget,
  deadline: Deadline,
): Promise<Socket> {
  let socket: Socket | undefined
  return deadline.during<Socket>({
    start(succeed, fail) {
      socket = connect({ host: address, port, autoSelectFamily: false })
      const opened = socket
      if (tried !== undefined) noteContact(opened, { host, address, port }, tried)
      // Stays for the life of the socket: without a listener an error after the exchange would end the process.
      opened.on('error', (error) => fail(connectTrouble(error, { host, address, port }, interfaces)))
      opened.once('connect', () => succeed(opened))
    },
    stop: () => socket?.destroy(),
    timedOut: () =>
      new TargetError(
        'tcp',
        'ETIMEDOUT',
        `no connection to ${named({ host, address, port })} within ${formatLimit(deadline.limitMs)}: ${silent}`,
      ),
  })
}

interface Peer {
  host: string
  address: string
  port: number
}

/** `shop.example (192.0.2.80:443)`; the address alone where no name led to it. */
const named = ({ host, address, port }: Peer): string =>
  host === address ? formatEndpoint(address, port) : `${host} (${formatEndpoint(address, port)})`

const silent = 'it is down or unreachable, or a firewall drops the packets'

/** What happened to a connection to `peer`, and the likely cause. */
const connectTexts: Readonly<Record<string, (peer: string) => string>> = {
  ECONNREFUSED: (peer) => `${peer} refused the connection: nothing listens on that port, or a firewall refuses`,
  ECONNRESET: (peer) => `${peer} reset the connection: a firewall or load balancer on the way ended it`,
  ETIMEDOUT: (peer) => `the operating system gave up connecting to ${peer}: ${silent}`,
  EHOSTUNREACH: (peer) => `no route to ${peer}: the machine is down, or a router says that it cannot be reached`,
  ENETUNREACH: (peer) => `no network that leads to ${peer}: a router says that it knows no way there`,
  EADDRNOTAVAIL: (peer) => `no local address left or fit to reach ${peer}`,
  EAFNOSUPPORT: (peer) => `this machine does not speak the protocol family of ${peer}`,
}

function connectTrouble(error: Error, peer: Peer, interfaces: Interfaces): TargetError | HostTrouble {
  const code = codeOf(error)
  const own = ownNetworkTrouble(code, peer, interfaces)
  if (own !== undefined) return own
  const who = named(peer)
  return new TargetError('tcp', code, connectTexts[code]?.(who) ?? `could not connect to ${who}: ${error.message}`)
}

/**
 * Judges the address of the connected peer again: a changed route or a connector may lead to another one than intended.
 */
function checkPeer(socket: Socket, { host, port }: EgressTarget, policy: EgressPolicy): void {
  const { remoteAddress, remotePort } = socket
  if (remoteAddress === undefined) {
    socket.destroy()
    throw new TargetError('tcp', 'ECONNRESET', `${formatEndpoint(host, port)} closed the connection at once`)
  }
  const reason = denialOf(remoteAddress, remotePort ?? port, policy)
  if (reason === undefined) return
  socket.destroy()
  throw denied(host, remoteAddress, remotePort ?? port, reason)
}
