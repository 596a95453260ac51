import { networkInterfaces } from 'node:os'
import type { Deadline } from '../deadline.ts'
import type { Interfaces } from '../egress/own-network.ts'
import { TargetError } from '../target-error.ts'
import {
  headerBytes,
  inMixedCase,
  questionMessage,
  secureRandom,
  withoutEdnsAfter,
  type QuestionMessage,
  type QuestionType,
} from './dns-message.ts'
import { dnsMessage, nameEnd } from './dns-parts.ts'
import { bareErrorOf, isCut, readReply, relationOf, type DnsReply } from './dns-reply.ts'
import { NameserverTrouble, overTcp, overUdp, type DnsSockets, type Nameserver } from './dns-transport.ts'
import { mostTelling, silence, troubleWith, type AskedServers, type Course } from './dns-trouble.ts'
import { askInTurn, NoAnswer } from './dns-turns.ts'

/** A question to name servers, and how to reach them. */
export interface DnsAsking extends AskedServers {
  question: { name: string; type: QuestionType }
  sockets: DnsSockets
  random?: () => number
  interfaces?: Interfaces
}

/** An answer, who gave it, and how long it took from the first question on. */
export interface DnsSeen {
  reply: DnsReply
  address: string
  /** Part of `tookMs`; 0 over UDP. */
  connectMs: number
  tookMs: number
}

/** Longest time that name servers are asked in milliseconds, even when the attempt has more time left. */
const askingLimitMs = 10_000
/** Over UDP a question or its answer may get lost. */
const roundsOverUdp = 3

const decisive = new Set(['NOERROR', 'NXDOMAIN'])

/** An answer that another name server may know better. */
class Undecided extends Error {
  readonly seen: DnsSeen
  constructor(seen: DnsSeen) {
    super(seen.reply.status)
    this.seen = seen
  }
}

/** A name server does not understand EDNS. */
class EdnsRefused extends Error {}

/** A name server does not keep the letters of a name and cannot be asked over TCP. Whoever forged that has guessed the id. */
class OnlyPlainLetters extends Error {}

/** A question that is under way. */
interface Under {
  asking: DnsAsking
  course: Course
}

type Answered = Pick<DnsSeen, 'reply' | 'connectMs'>

interface Query {
  message: QuestionMessage
  /** Throws `EdnsRefused`, as `read` does. */
  relation: (received: Buffer) => ReturnType<typeof relationOf>
  read: (received: Buffer) => DnsReply
}

/** How a question is written. `mixed`: in letters large and small by chance, which its answer has to repeat. */
interface Writing {
  edns: boolean
  mixed: boolean
}

function queryFor({ question, random = secureRandom }: DnsAsking, { edns, mixed }: Writing): Query {
  const plain = questionMessage(question, { random, edns })
  const end = nameEnd(dnsMessage(plain.bytes), headerBytes)
  const asked = { name: question.name, wire: plain.bytes.subarray(headerBytes, end) }
  const message = mixed ? inMixedCase(plain, end, random) : plain
  const notice = (status: string | undefined) => {
    if (edns && status !== undefined && withoutEdnsAfter.has(status)) throw new EdnsRefused()
  }
  return {
    message,
    relation(received) {
      // A mere header is no answer, but old name servers refuse EDNS with one. Forged, it leads to another question.
      notice(bareErrorOf(received, message))
      const relation = relationOf(received, message)
      return relation === 'other letters' && !mixed ? 'answer' : relation
    },
    read(received) {
      const reply = readReply(received, asked)
      notice(reply.status)
      return reply
    },
  }
}

/** Over a connection nobody else can answer, so the letters of the question prove nothing. */
async function askOverTcp(
  nameserver: Nameserver,
  asking: DnsAsking,
  { message, relation, read }: Query,
  deadline: Deadline,
): Promise<Answered> {
  const readWhole = (received: Buffer) => {
    if (relation(received) === 'foreign') return undefined
    if (!isCut(received)) return read(received)
    throw new NameserverTrouble('it cut its answer over TCP, which has room for every answer')
  }
  return await overTcp({ nameserver, sockets: asking.sockets, message: message.bytes, read: readWhole }, deadline)
}

const otherLetters = 'repeated the question in other letters over UDP'

async function askOverUdp(
  nameserver: Nameserver,
  { asking, course }: Under,
  query: Query,
  deadline: Deadline,
): Promise<Answered> {
  const { message } = query
  const read = (received: Buffer): DnsReply | string | undefined => {
    const relation = query.relation(received)
    if (relation === 'other letters') return otherLetters
    if (relation === 'answer') return isCut(received) ? 'cut its answer over UDP' : query.read(received)
    course.strays += 1
    return undefined
  }
  const answer = await overUdp({ nameserver, sockets: asking.sockets, message: message.bytes, read }, deadline)
  if (typeof answer !== 'string') return { reply: answer, connectMs: 0 }
  course.overTcpBecause = answer
  try {
    return await askOverTcp(nameserver, asking, query, deadline)
  } catch (error) {
    const trouble = described(nameserver, asking, error)
    if (!(trouble instanceof TargetError)) throw trouble
    if (answer === otherLetters && trouble.code === 'ECONNREFUSED') throw new OnlyPlainLetters()
    throw new TargetError(trouble.phase, trouble.code, `the name server ${answer}, and over TCP: ${trouble.message}`)
  }
}

const described = (nameserver: Nameserver, { host, interfaces = networkInterfaces }: DnsAsking, error: unknown) =>
  troubleWith(nameserver, host, error, interfaces)

/** Asks one name server once, and again in a simpler writing when it does not understand the first. */
async function askOne(nameserver: Nameserver, under: Under, writing: Writing, deadline: Deadline): Promise<Answered> {
  const { asking } = under
  const query = queryFor(asking, writing)
  try {
    return asking.protocol === 'TCP'
      ? await askOverTcp(nameserver, asking, query, deadline)
      : await askOverUdp(nameserver, under, query, deadline)
  } catch (error) {
    if (error instanceof EdnsRefused) return await askOne(nameserver, under, { ...writing, edns: false }, deadline)
    if (error instanceof OnlyPlainLetters)
      return await askOne(nameserver, under, { ...writing, mixed: false }, deadline)
    throw error
  }
}

async function askAll(asking: DnsAsking, course: Course, timeoutMs: number, signal: AbortSignal): Promise<DnsSeen> {
  const { nameservers, protocol } = asking
  const startedAt = performance.now()
  const rounds = protocol === 'TCP' ? 1 : roundsOverUdp
  try {
    return await askInTurn<DnsSeen>({
      nameservers,
      rounds,
      againAfterTrouble: false,
      timeoutMs,
      signal,
      async ask(nameserver, round, deadline) {
        // Old name servers and some firewalls drop what has EDNS.
        const edns = round === 0 || round < rounds - 1
        const writing = { edns, mixed: true }
        const answered = await askOne(nameserver, { asking, course }, writing, deadline).catch((error: unknown) => {
          throw described(nameserver, asking, error)
        })
        const seen = { ...answered, address: nameserver.address, tookMs: performance.now() - startedAt }
        if (nameservers.length > 1 && !decisive.has(seen.reply.status)) throw new Undecided(seen)
        return seen
      },
    })
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    const undecided = error.troubles.find((trouble) => trouble instanceof Undecided)
    if (undecided !== undefined) return undecided.seen
    throw mostTelling(error.troubles, () => silence(asking, course, timeoutMs))
  }
}

/**
 * Asks name servers in turn as a resolver does: lost datagrams are sent again, a cut answer is fetched over TCP, and what
 * does not belong to the question is ignored. Rejects with a `TargetError` when there is no answer, and with `HostTrouble`
 * when this machine is the reason.
 */
export async function askQuestion(asking: DnsAsking, deadline: Deadline): Promise<DnsSeen> {
  const over = new AbortController()
  const course: Course = { strays: 0, overTcpBecause: undefined }
  const limitMs = Math.min(askingLimitMs, deadline.remainingMs())
  return await deadline.during<DnsSeen>({
    start(succeed, fail) {
      askAll(asking, course, limitMs, over.signal).then(succeed, fail)
    },
    stop: () => over.abort(),
    timedOut: () => silence(asking, course, limitMs),
  })
}
