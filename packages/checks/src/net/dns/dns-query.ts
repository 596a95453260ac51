import type { Deadline } from '../deadline.ts'
import { headerBytes, questionMessage, type QuestionMessage } from './dns-message.ts'
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
}

/** Addresses at the end of the chain of aliases that starts at the question. */
function addressesIn(records: readonly DnsRecord[], { name, type }: DnsQuestion): string[] {
  const chain = new Set([name.toLowerCase()])
  const addresses: string[] = []
  for (const record of records) {
    if (!chain.has(record.name.toLowerCase())) continue
    if (record.type === 'CNAME') chain.add(record.data.toLowerCase())
    else if (record.type === type) addresses.push(record.data)
  }
  return addresses
}

interface Asked extends Omit<QueryOptions, 'random'> {
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

const withoutEdnsAfter = new Set(['FORMERR', 'NOTIMP'])

/** Asks one nameserver once: UDP, then TCP when the answer did not fit, then without EDNS when it is not understood. */
export async function askNameserver(options: QueryOptions, deadline: Deadline): Promise<DnsAnswer> {
  const answer = await exchange(options, deadline, true)
  return withoutEdnsAfter.has(answer.rcode) ? await exchange(options, deadline, false) : answer
}

async function exchange(
  { nameserver, question, random }: QueryOptions,
  deadline: Deadline,
  edns: boolean,
): Promise<DnsAnswer> {
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
