import { randomInt } from 'node:crypto'
import { encode } from 'dns-packet'

/** Types of records that can be asked for, with their numbers. */
export const questionTypes = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  HTTPS: 65,
  CAA: 257,
} as const
export type QuestionType = keyof typeof questionTypes

/** Length of the header of a message; the name of the question follows. */
export const headerBytes = 12
const ednsPayload = 1232
const recursionDesired = 0x0100
const authenticatedData = 0x0020

/** Answers of name servers that do not understand EDNS. */
export const withoutEdnsAfter: ReadonlySet<string> = new Set(['FORMERR', 'NOTIMP', 'BADVERS'])

/** Chance that nobody can predict from what was sent before: forged answers have to guess it. */
export const secureRandom = (): number => randomInt(0x1_0000_0000) / 0x1_0000_0000

const newId = (random: () => number): number => Math.floor(random() * 0x10000) & 0xffff

/** A question as bytes for the wire, and the id that its answer repeats. */
export interface QuestionMessage {
  id: number
  bytes: Buffer
}

/** Writes a question with an id of its own. With `edns` the answer may be larger than 512 bytes. */
export function questionMessage(
  { name, type }: { name: string; type: QuestionType },
  { random, edns }: { random: () => number; edns: boolean },
): QuestionMessage {
  const id = newId(random)
  const opt = {
    type: 'OPT' as const,
    name: '.',
    udpPayloadSize: ednsPayload,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  }
  const bytes = encode({
    type: 'query',
    id,
    flags: recursionDesired | authenticatedData,
    // The package knows no name for every type.
    questions: [{ type: `UNKNOWN_${questionTypes[type]}` as 'A', name, class: 'IN' }],
    additionals: edns ? [opt] : [],
  })
  return { id, bytes }
}

const isLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a

/**
 * The question with each letter of its name large or small by chance, which its answer repeats: a forger has to guess
 * that too. Lengths of labels are below the codes of letters.
 */
export function inMixedCase({ id, bytes }: QuestionMessage, nameEnd: number, random: () => number): QuestionMessage {
  const mixed = Buffer.from(bytes)
  for (let at = headerBytes; at < nameEnd; at += 1) {
    const byte = mixed.readUInt8(at)
    if (isLetter(byte) && random() < 0.5) mixed.writeUInt8(byte ^ 0x20, at)
  }
  return { id, bytes: mixed }
}
