import type { Deadline } from '../deadline.ts'
import { headerBytes, questionMessage, withoutEdnsAfter, type QuestionMessage } from './dns-message.ts'
import { dnsMessage, MalformedReply, nameEnd } from './dns-parts.ts'
import { bareErrorOf, isCut, readReply, relationOf, type DnsRecord } from './dns-reply.ts'
import { labelOf, NameserverTrouble, overTcp, overUdp, ownSockets, type Nameserver } from './dns-transport.ts'

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
  edns: boolean
}

/** Addresses at the end of the chain of aliases that starts at the question. Records may stand in any order. */
function addressesIn(records: readonly DnsRecord[], { name, type }: DnsQuestion): string[] {
  const aliases = new Map<string, string[]>()
  for (const record of records) {
    if (record.type !== 'CNAME') continue
    const owner = record.name.toLowerCase()
    const known = aliases.get(owner)
    if (known === undefined) aliases.set(owner, [record.data.toLowerCase()])
    else known.push(record.data.toLowerCase())
  }
  // A set is walked to its end with what is added meanwhile.
  const chain = new Set([name.toLowerCase()])
  for (const owner of chain) for (const alias of aliases.get(owner) ?? []) chain.add(alias)
  return records
    .filter((record) => record.type === type && chain.has(record.name.toLowerCase()))
    .map(({ data }) => data)
}

interface Asked extends Omit<QueryOptions, 'random' | 'edns'> {
  message: QuestionMessage
}

/** What a message says to this question; undefined if it belongs to another one. */
function answerTo(received: Buffer, { message, nameserver, question }: Asked): DnsAnswer | undefined {
  // A server may leave the question out of an error answer.
  const bare = bareErrorOf(received, message)
  if (bare !== undefined) return { rcode: bare, addresses: [] }
  if (relationOf(received, message) === 'foreign') return undefined
  const wire = message.bytes.subarray(headerBytes, nameEnd(dnsMessage(message.bytes), headerBytes))
  try {
    const { status, records } = readReply(received, { name: question.name, wire })
    return { rcode: status, addresses: addressesIn(records, question) }
  } catch (error) {
    if (!(error instanceof MalformedReply)) throw error
    const text = `nameserver ${labelOf(nameserver)} sent an answer that cannot be read: ${error.message}`
    throw new NameserverTrouble(text)
  }
}

/** Asks one nameserver once: UDP, then TCP when the answer did not fit, then without EDNS when it is not understood. */
export async function askNameserver(options: QueryOptions, deadline: Deadline): Promise<DnsAnswer> {
  const answer = await exchange(options, deadline)
  const isRefused = options.edns && withoutEdnsAfter.has(answer.rcode)
  return isRefused ? await exchange({ ...options, edns: false }, deadline) : answer
}

async function exchange({ nameserver, question, random, edns }: QueryOptions, deadline: Deadline): Promise<DnsAnswer> {
  const message = questionMessage(question, { random, edns })
  const asked = { message, nameserver, question }
  const of = { nameserver, sockets: ownSockets, message: message.bytes }
  const answer = await overUdp<DnsAnswer | 'cut'>(
    {
      ...of,
      read: (received) =>
        relationOf(received, message) !== 'foreign' && isCut(received) ? 'cut' : answerTo(received, asked),
    },
    deadline,
  )
  if (answer !== 'cut') return answer
  return (await overTcp({ ...of, read: (received) => answerTo(received, asked) }, deadline)).reply
}
