import { spellingsOf } from '../net/egress/address.ts'

/** What became of one echo request. `from` is the machine on the way that said so; null when it is not known. */
export type Answer =
  | { kind: 'reply'; rttMs: number; ttl: number | null }
  | { kind: 'unreachable' | 'expired'; from: string | null }
  | { kind: 'silence' }
  /** It did not leave this machine: `code` is that of the operating system, `BUSY` when there was no room for it in time. */
  | { kind: 'unsent'; code: string }

/** A program that pings cannot be used now. It says nothing about the target. */
export class CannotPing extends Error {
  override name = 'CannotPing'
}

/** Echo requests to one address, which was judged before. */
export interface PingOrder {
  address: string
  count: number
}

/** Bytes of an echo request with its ICMP header, as `ping` sends them. */
export const packetSize = 64

/** Shortest time between two echo requests in milliseconds: what `ping` grants to everybody. */
export const intervalMs = 200
/** How long is waited for a first answer, in milliseconds, after the last request. */
export const firstAnswerMs = 10_000
/** How long at least for the others once there is one: else twice the slowest round trip, as `ping` does. */
export const otherAnswersMs = 1000

/** Whether two texts name the same address. */
export const isSameAddress = (one: string, other: string): boolean => {
  const [spelling] = spellingsOf(one)
  return spelling !== undefined && spelling === spellingsOf(other)[0]
}
