import { decode, type DecodedPacket } from 'dns-packet'
import type { Deadline } from '../deadline.ts'
import { questionMessage } from './dns-message.ts'
import { overTcp, overUdp, ownSockets, type Nameserver } from './dns-transport.ts'

export type AddressRecord = 'A' | 'AAAA'

/** One answer of a nameserver. `rcode` is `NOERROR`, `NXDOMAIN`, `SERVFAIL` and so on. */
export interface DnsAnswer {
  rcode: string
  addresses: string[]
}

export interface DnsQuestion {
  name: string
  type: AddressRecord
}

export interface QueryOptions {
  nameserver: Nameserver
  question: DnsQuestion
  random: () => number
}

/** The packet if it answers this question, undefined if it answers another one or is damaged. */
function answerTo(message: Buffer, id: number, question: DnsQuestion): DecodedPacket | undefined {
  let packet: DecodedPacket
  try {
    packet = decode(message)
  } catch {
    return undefined
  }
  const echoed = packet.questions?.[0]
  if (packet.id !== id || packet.type !== 'response') return undefined
  // A server may leave the question out of an error answer.
  if (echoed === undefined) return rcodeOf(packet) === 'NOERROR' ? undefined : packet
  return echoed.type === question.type && sameName(echoed.name, question.name) ? packet : undefined
}

const sameName = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

// The typings leave `rcode` out of a decoded packet.
const rcodeOf = (packet: DecodedPacket): string =>
  'rcode' in packet && typeof packet.rcode === 'string' ? packet.rcode : 'NOERROR'

/** Addresses at the end of the chain of aliases that starts at the question. */
function addressesIn(packet: DecodedPacket, { name, type }: DnsQuestion): string[] {
  const chain = new Set([name.toLowerCase()])
  const addresses: string[] = []
  for (const answer of packet.answers ?? []) {
    if (!chain.has(answer.name.toLowerCase())) continue
    if (answer.type === 'CNAME') chain.add(answer.data.toLowerCase())
    else if (answer.type === type && typeof answer.data === 'string') addresses.push(answer.data)
  }
  return addresses
}

const toAnswer = (packet: DecodedPacket, question: DnsQuestion): DnsAnswer => ({
  rcode: rcodeOf(packet),
  addresses: addressesIn(packet, question),
})

/** Asks one nameserver once: UDP, then TCP when the answer did not fit, then without EDNS when it is not understood. */
export async function askNameserver(options: QueryOptions, deadline: Deadline): Promise<DnsAnswer> {
  let packet = await exchange(options, deadline, true)
  const rcode = rcodeOf(packet)
  if (rcode === 'FORMERR' || rcode === 'NOTIMP') packet = await exchange(options, deadline, false)
  return toAnswer(packet, options.question)
}

async function exchange(
  { nameserver, question, random }: QueryOptions,
  deadline: Deadline,
  edns: boolean,
): Promise<DecodedPacket> {
  const { id, bytes } = questionMessage(question, { random, edns })
  const of = { nameserver, sockets: ownSockets, message: bytes, read: (got: Buffer) => answerTo(got, id, question) }
  const packet = await overUdp(of, deadline)
  return packet.flag_tc ? (await overTcp(of, deadline)).reply : packet
}
