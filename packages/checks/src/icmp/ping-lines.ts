import { isSameAddress, type Answer } from '../net/packets/answer.ts'
import type { PingOrder } from './ping-order.ts'

const replyLine = /^\d+ bytes from ([0-9a-f:.]+)(?:%\w+)?: icmp_seq=(\d+) ttl=(\d+) time=(\d+(?:\.\d+)?) ms/
const troubleLine = /^From ([0-9a-f:.]+)(?:%\w+)?:? icmp_seq=(\d+) (.+)$/
const summaryLine = /^(\d+) packets transmitted, \d+ received/

/** What `ping` says when the operating system does not take its packets. */
const sendTroubles: readonly (readonly [text: string, code: string])[] = [
  ['Network is unreachable', 'ENETUNREACH'],
  ['No route to host', 'EHOSTUNREACH'],
  ['Cannot assign requested address', 'EADDRNOTAVAIL'],
  ['Address family not supported', 'EAFNOSUPPORT'],
  ['Network is down', 'ENETDOWN'],
  ['No buffer space available', 'ENOBUFS'],
]
const mayNotSend = /sendmsg: Operation not permitted/

function codeOfTrouble(errors: string): string | undefined {
  if (mayNotSend.test(errors)) return 'EPERM'
  return sendTroubles.find(([text]) => errors.includes(text))?.[1]
}

function answerOfLine(line: string, address: string): { sequence: number; answer: Answer } | undefined {
  const [, from = '', sequence, ttl, ms] = replyLine.exec(line) ?? []
  if (sequence !== undefined) {
    if (!isSameAddress(from, address)) return undefined
    return { sequence: Number(sequence), answer: { kind: 'reply', rttMs: Number(ms), ttl: Number(ttl) } }
  }
  const [, router = null, of, what = ''] = troubleLine.exec(line) ?? []
  if (of === undefined) return undefined
  return {
    sequence: Number(of),
    answer: { kind: what.startsWith('Time to live exceeded') ? 'expired' : 'unreachable', from: router },
  }
}

/**
 * Reads what `ping` of iputils wrote. Undefined when it says nothing of packets: then it could not ping.
 */
export function answersOfPing(output: string, errors: string, { address, count }: PingOrder): Answer[] | undefined {
  const lines = output.split('\n')
  const code = codeOfTrouble(errors)
  const summary = lines.map((line) => summaryLine.exec(line)).find((match) => match !== null)
  if (!summary && code === undefined) return undefined
  const transmitted = Number(summary?.[1] ?? 0)
  const heard = new Map<number, Answer>()
  for (const line of lines) {
    const found = answerOfLine(line, address)
    if (found !== undefined && !heard.has(found.sequence)) heard.set(found.sequence, found.answer)
  }
  const missing = (sequence: number): Answer => {
    if (code !== undefined && heard.size === 0) return { kind: 'unsent', code }
    return sequence <= transmitted ? { kind: 'silence' } : { kind: 'unsent', code: 'BUSY' }
  }
  return Array.from({ length: count }, (_, index) => heard.get(index + 1) ?? missing(index + 1))
}
