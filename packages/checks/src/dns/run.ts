import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { domainToASCII } from 'node:url'
import type { Run, RunContext } from '../core/check-type.ts'
import { observeAttempt, type Finding } from '../net/attempt.ts'
import type { Deadline } from '../net/deadline.ts'
import { askQuestion, type DnsAsking, type DnsSeen } from '../net/dns/dns-question.ts'
import { isDnsName } from '../net/dns/dns.ts'
import { openDatagrams, ownSockets, type Nameserver } from '../net/dns/dns-transport.ts'
import { systemResolverSettings } from '../net/dns/resolver-files.ts'
import { createEgress, dnsTrouble, type Egress } from '../net/egress/egress.ts'
import { guardedDnsSockets, type DatagramConnector } from '../net/egress/guarded-datagrams.ts'
import { normaliseHost } from '../net/egress/host-name.ts'
import type { Interfaces } from '../net/egress/own-network.ts'
import { withTotal } from '../net/phases.ts'
import { TargetError } from '../net/target-error.ts'
import type { DnsDefinition } from './definition.ts'
import type { DnsEvidence } from './evidence.ts'
import { dnsPort, type DnsRequest } from './request-shape.ts'

const attemptTimeoutMs = 30_000
const mostNameservers = 3

/** What a run is made of; given by tests and benches. */
interface DnsRunParts {
  egress: Egress
  datagrams: DatagramConnector
  /** Those of this location. */
  nameservers: () => readonly Nameserver[]
  interfaces: Interfaces
}
type Runnable = Pick<DnsDefinition, 'request'>

/** The name as DNS has it: without the last dot, and in ASCII. */
function nameOf({ query }: DnsRequest): string {
  const ascii = /^[!-~]+$/.test(query) ? query : domainToASCII(query)
  const name = ascii.replace(/\.$/, '')
  if (query !== '.' && !isDnsName(name))
    throw new TargetError('dns', 'DNS_INVALID_NAME', `${query} is not a name that DNS can look up`, { network: false })
  return name
}

/** The name servers of a location are the operator's choice, like those that look up the targets of other checks. */
const asksLocation = ({ nameServer, port }: DnsRequest): boolean => nameServer === null && port === dnsPort

/** The name servers that a check names, or those of the location at a port that it names. */
async function serversOf(
  { nameServer, port }: DnsRequest,
  { egress, nameservers }: DnsRunParts,
  policy: RunContext['egress'],
  deadline: Deadline,
): Promise<Nameserver[]> {
  const hosts = nameServer === null ? nameservers().map(({ address }) => address) : [nameServer]
  const found = await Promise.all(
    hosts.map((host) => egress.addressesOf({ host, port, family: 'any' }, policy, deadline)),
  )
  const addresses = found.flat().slice(0, mostNameservers)
  return addresses.map((address) => ({ address, port }))
}

/** Without an answer from the name servers of the location nothing is known of the name, and perhaps not of the location. */
async function askLocation(asking: DnsAsking, interfaces: Interfaces, deadline: Deadline): Promise<DnsSeen> {
  try {
    return await askQuestion(asking, deadline)
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    const code = error.code === 'ETIMEDOUT' ? 'DNS_TIMEOUT' : 'DNS_SERVER_FAILURE'
    const text = `the name servers of the location gave no answer: ${error.message}`
    throw dnsTrouble(new TargetError('dns', code, text), asking.question.name, interfaces)
  }
}

async function ask(
  request: DnsRequest,
  parts: DnsRunParts,
  policy: RunContext['egress'],
  deadline: Deadline,
): Promise<DnsSeen> {
  const { protocol, recordType, nameServer } = request
  const { egress, datagrams, interfaces } = parts
  const of = { question: { name: nameOf(request), type: recordType }, protocol, interfaces }
  if (asksLocation(request)) {
    const own = parts.nameservers().slice(0, mostNameservers)
    return await askLocation({ ...of, nameservers: own, host: undefined, sockets: ownSockets }, interfaces, deadline)
  }
  const nameservers = await serversOf(request, parts, policy, deadline)
  const isLiteral = nameServer === null || isIP(normaliseHost(nameServer) ?? '') !== 0
  const sockets = guardedDnsSockets(egress, policy, datagrams)
  return await askQuestion({ ...of, nameservers, host: isLiteral ? undefined : nameServer, sockets }, deadline)
}

function responseOf({ name, type }: { name: string; type: string }, { reply, address, connectMs, tookMs }: DnsSeen) {
  return {
    answer: { Status: reply.status, ...reply.flags, Question: [{ name, type }], Answer: reply.records },
    text: reply.text,
    truncated: reply.more,
    remoteAddress: address,
    timingPhases: withTotal({ connection: connectMs, answer: tookMs - connectMs }),
  }
}

async function observe(
  { request }: Runnable,
  parts: DnsRunParts,
  policy: RunContext['egress'],
  deadline: Deadline,
): Promise<Finding<DnsEvidence>> {
  const { query, recordType, nameServer, port, protocol } = request
  const evidence: DnsEvidence = { request: { query, recordType, nameServer, port, protocol } }
  try {
    const seen = await ask(request, parts, policy, deadline)
    evidence.response = responseOf({ name: nameOf(request), type: recordType }, seen)
    return { evidence }
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    return { evidence, error: error.toObserved() }
  }
}

/** Makes the run of DNS checks. Name servers that users name are reached through the egress guard. */
export function createDnsRun(given: Partial<DnsRunParts> = {}): Run<Runnable, DnsEvidence> {
  const parts: DnsRunParts = {
    egress: createEgress(),
    datagrams: openDatagrams,
    nameservers: () => systemResolverSettings().nameservers,
    interfaces: networkInterfaces,
    ...given,
  }
  return (definition, context) =>
    observeAttempt(context, attemptTimeoutMs, (deadline) => observe(definition, parts, context.egress, deadline))
}

export const run = createDnsRun()
