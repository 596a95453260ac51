import { isSameAddress, type Answer } from './answer.ts'

/** One line of mtr-packet: the number of the question it answers, and what it says. */
export interface PacketLine {
  token: number
  word: string
  rest: readonly string[]
}

/** Reads a line of mtr-packet; undefined when it is none. */
export function readPacketLine(text: string): PacketLine | undefined {
  const match = /^(\d{1,9}) ([a-z-]+)((?: [\w.:%,-]+)*)$/.exec(text)
  if (match === null) return undefined
  const [, token = '', word = '', rest = ''] = match
  return { token: Number(token), word, rest: rest === '' ? [] : rest.slice(1).split(' ') }
}

const unsentCodes: Readonly<Record<string, string>> = {
  // It looks for the address to send from first, and says this when no network leads to the target.
  'invalid-argument': 'ENETUNREACH',
  'no-route': 'EHOSTUNREACH',
  'network-down': 'ENETDOWN',
  'permission-denied': 'EPERM',
  'address-in-use': 'EADDRINUSE',
  'address-not-available': 'EADDRNOTAVAIL',
  'unexpected-error': 'ERROR',
  'probes-exhausted': 'BUSY',
}

/** Two clocks never agree exactly. */
const clockToleranceMs = 1000

/** What a line says of a packet to `address`, which was sent `sinceMs` ago; undefined when it is no answer to one. */
export function answerOfLine(line: PacketLine, address: string, sinceMs: number): Answer | undefined {
  const { word, rest } = line
  if (word === 'no-reply') return { kind: 'silence' }
  const [family = '', sender = ''] = rest
  const from = /^ip-[46]$/.test(family) && sender !== '' ? sender : null
  if (word === 'reply') return from === null ? undefined : replyOf(from, rest, { address, sinceMs })
  if (word === 'ttl-expired') return { kind: 'expired', from, ...rttOf(rest, sinceMs) }
  if (word === 'no-route' && from !== null) return { kind: 'unreachable', from, ...rttOf(rest, sinceMs) }
  return unsent(word)
}

function unsent(word: string): Answer | undefined {
  const code = Object.hasOwn(unsentCodes, word) ? unsentCodes[word] : undefined
  return code === undefined ? undefined : { kind: 'unsent', code }
}

function replyOf(
  from: string,
  rest: readonly string[],
  { address, sinceMs }: { address: string; sinceMs: number },
): Answer | undefined {
  const { rttMs } = rttOf(rest, sinceMs)
  if (rttMs === undefined) return undefined
  // Machines that refuse the packet (port unreachable) are reported as a reply, too.
  if (!isSameAddress(from, address)) return { kind: 'unreachable', from, rttMs }
  return { kind: 'reply', rttMs, ttl: null }
}

function rttOf([, , label, value]: readonly string[], sinceMs: number): { rttMs?: number } {
  const rttUs = label === 'round-trip-time' ? Number(value) : NaN
  return Number.isInteger(rttUs) ? { rttMs: trueRtt(rttUs / 1000, sinceMs) } : {}
}

/** mtr-packet measures with a clock that may be set meanwhile. Then the time that we saw counts, which is longer. */
const trueRtt = (rttMs: number, sinceMs: number): number =>
  rttMs >= 0 && rttMs <= sinceMs + clockToleranceMs ? rttMs : sinceMs
