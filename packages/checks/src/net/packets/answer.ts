import { spellingsOf } from '../egress/address.ts'

/** What became of one packet that asks for an answer. `from` is the machine on the way that said so; null when it is not known. */
export type Answer =
  | { kind: 'reply'; rttMs: number; ttl: number | null }
  | { kind: 'unreachable' | 'expired'; from: string | null; rttMs?: number }
  | { kind: 'silence' }
  /** It did not leave this machine: `code` is that of the operating system, `BUSY` when there was no room for it in time. */
  | { kind: 'unsent'; code: string }

/** A program that pings cannot be used now. It says nothing about the target. */
export class CannotPing extends Error {
  override name = 'CannotPing'
}

/** Whether two texts name the same address. */
export const isSameAddress = (one: string, other: string): boolean => {
  const [spelling] = spellingsOf(one)
  return spelling !== undefined && spelling === spellingsOf(other)[0]
}
