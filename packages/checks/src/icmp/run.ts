import { networkInterfaces } from 'node:os'
import type { Run, RunContext } from '../core/check-type.ts'
import { observeAttempt, type Finding } from '../net/attempt.ts'
import type { Deadline } from '../net/deadline.ts'
import { createEgress, type Egress } from '../net/egress/egress.ts'
import { ownNetworkTrouble, type Interfaces } from '../net/egress/own-network.ts'
import { rounded } from '../net/phases.ts'
import type { Answer } from '../net/packets/answer.ts'
import { HostTrouble, TargetError } from '../net/target-error.ts'
import type { IcmpDefinition } from './definition.ts'
import type { IcmpEvidence } from './evidence.ts'
import { canPing, systemPing, type Ping } from './pinger.ts'
import { seenOf } from './seen.ts'

const attemptTimeoutMs = 30_000

/** What a run needs of a definition. */
type Runnable = Pick<IcmpDefinition, 'request'>

export interface IcmpRunOptions {
  egress?: Egress
  ping?: Ping
  interfaces?: Interfaces
}

/** IPv4 addresses may be written as IPv6, which is no way to ping them. */
const pingable = (address: string): string => {
  const [, high = '', low = ''] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address) ?? []
  if (low === '') return address
  const bytes = [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 0xff])
  return bytes.join('.')
}

/** Why no packet left this machine. */
function sendTrouble(code: string, address: string, interfaces: Interfaces): TargetError | HostTrouble {
  if (code === 'BUSY') {
    return new HostTrouble('NO_RESOURCES', `No ping of ${address} could be sent in time: too many others are under way`)
  }
  const own = ownNetworkTrouble(code, { address }, interfaces)
  if (own !== undefined) return own
  if (code === 'ENETUNREACH') return new TargetError('ping', code, `no network that leads to ${address}`)
  if (code === 'EHOSTUNREACH') return new TargetError('ping', code, `no route to ${address}`)
  return new HostTrouble('CANNOT_PING', `This agent cannot ping ${address}: its system refuses the packets (${code})`)
}

/** Trouble when not one was answered: who said so, and what is the likely cause. */
function silenceOf(answers: readonly Answer[], hostname: string, address: string): TargetError | undefined {
  if (answers.some(({ kind }) => kind === 'reply')) return undefined
  const sent = answers.filter(({ kind }) => kind !== 'unsent').length
  const named = hostname === address ? hostname : `${hostname} (${address})`
  const text = `none of ${sent} ping${sent === 1 ? '' : 's'} to ${named} was answered`
  const from = (wanted: Answer['kind']) =>
    answers.flatMap((answer) => (answer.kind === wanted && 'from' in answer ? [answer.from ?? 'a router'] : []))[0]
  const unreachable = from('unreachable')
  if (unreachable !== undefined) {
    const cause = 'it is down, has no route, or a firewall refused the ping'
    return new TargetError('ping', 'EHOSTUNREACH', `${text}: ${unreachable} says that it cannot be reached (${cause})`)
  }
  const expired = from('expired')
  if (expired !== undefined) {
    return new TargetError('ping', 'ETIMEDOUT', `${text}: the packets went in a circle (TTL expired at ${expired})`)
  }
  return new TargetError('ping', 'ETIMEDOUT', `${text}: it is down or unreachable, or a firewall drops pings`)
}

async function observe(
  { request }: Runnable,
  { egress, ping, interfaces }: Required<IcmpRunOptions>,
  policy: RunContext['egress'],
  deadline: Deadline,
): Promise<Finding<IcmpEvidence>> {
  const { hostname, pingCount, ipFamily } = request
  const evidence: IcmpEvidence = { request: { hostname, pingCount, ipFamily } }
  try {
    const host = { host: hostname, family: ipFamily }
    const { answer, dnsMs } = await egress.reach(host, policy, deadline, sendTo)
    const { address, answers } = answer
    evidence.response = seenOf({ hostname, address, dnsMs: rounded(dnsMs), answers })
    const error = silenceOf(answers, hostname, address)
    return error === undefined ? { evidence } : { evidence, error: error.toObserved() }
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    return { evidence, error: error.toObserved() }
  }

  async function sendTo(judged: string) {
    const address = pingable(judged)
    const answers = await ping({ address, count: pingCount }, deadline)
    const unsent = answers.flatMap((each) => (each.kind === 'unsent' ? [each.code] : []))
    if (unsent.length === answers.length) throw sendTrouble(unsent[0] ?? 'BUSY', address, interfaces)
    return { address, answers }
  }
}

/** Makes the run of ICMP checks. Every address is judged by the egress guard before `ping` gets it. */
export function createIcmpRun(options: IcmpRunOptions = {}): Run<Runnable, IcmpEvidence> {
  const parts = { egress: createEgress(), ping: systemPing(), interfaces: networkInterfaces, ...options }
  return (definition, context) =>
    observeAttempt(context, attemptTimeoutMs, (deadline) => observe(definition, parts, context.egress, deadline))
}

export const run = createIcmpRun()

export const capabilities = async (): Promise<string[]> => ((await canPing()) ? ['ping'] : [])
