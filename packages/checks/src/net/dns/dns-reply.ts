import { headerBytes, type QuestionMessage } from './dns-message.ts'
import { dnsMessage, MalformedReply, nameAt, nameEnd, numberAt, type DnsMessage } from './dns-parts.ts'
import { dataText, typeName } from './dns-record-data.ts'

/** A record of an answer. `data` is in presentation form. */
export interface DnsRecord {
  name: string
  type: string
  TTL: number
  data: string
}

/** What a name server answered. */
export interface DnsReply {
  status: string
  flags: Readonly<Record<'TC' | 'RD' | 'RA' | 'AD' | 'CD', boolean>>
  records: DnsRecord[]
  /** The records, one line each. */
  text: string
  /** There were more records than are kept. */
  more: boolean
}

/** Most characters kept of the records of an answer. */
const keptCharacters = 64 * 1024

const flagBits = { TC: 0x0200, RD: 0x0100, RA: 0x0080, AD: 0x0020, CD: 0x0010 } as const
const responseBit = 0x8000
const opcodeBits = 0x7800
const codeBits = 0x000f
const internet = 1
const optType = 41

const codes = [
  'NOERROR',
  'FORMERR',
  'SERVFAIL',
  'NXDOMAIN',
  'NOTIMP',
  'REFUSED',
  'YXDOMAIN',
  'YXRRSET',
  'NXRRSET',
  'NOTAUTH',
  'NOTZONE',
]
const extendedCodes: Readonly<Record<number, string>> = { 16: 'BADVERS', 23: 'BADCOOKIE' }
const codeName = (code: number): string => codes[code] ?? extendedCodes[code] ?? `RCODE_${code}`

/**
 * What a message that arrived has to do with a question. One that repeats it in other letters, large for small, is an
 * honest server's or a forger's, who cannot know them.
 */
export function relationOf(received: Buffer, { id, bytes }: QuestionMessage): 'answer' | 'other letters' | 'foreign' {
  const isReply =
    received.length >= headerBytes &&
    received.readUInt16BE(0) === id &&
    (received.readUInt16BE(2) & (responseBit | opcodeBits)) === responseBit &&
    received.readUInt16BE(4) === 1
  if (!isReply) return 'foreign'
  const end = nameEnd(dnsMessage(bytes), headerBytes)
  const asked = bytes.subarray(headerBytes, end + 4)
  const repeated = received.subarray(headerBytes, end + 4)
  if (repeated.equals(asked)) return 'answer'
  const sameType = repeated.subarray(-4).equals(asked.subarray(-4))
  const lower = (name: Buffer) => name.toString('latin1', 0, name.length - 4).toLowerCase()
  return sameType && repeated.length === asked.length && lower(repeated) === lower(asked) ? 'other letters' : 'foreign'
}

/** The code of an error that does not repeat the question, undefined for every other message. */
export function bareErrorOf(received: Buffer, { id }: QuestionMessage): string | undefined {
  if (received.length < headerBytes || received.readUInt16BE(0) !== id || received.readUInt16BE(4) !== 0)
    return undefined
  const header = received.readUInt16BE(2)
  const code = header & codeBits
  return (header & (responseBit | opcodeBits)) === responseBit && code !== 0 ? codeName(code) : undefined
}

/** True for an answer that did not fit. */
export const isCut = (received: Buffer): boolean => (received.readUInt16BE(2) & flagBits.TC) !== 0

interface RecordPlace {
  nameStart: number
  type: number
  class: number
  ttl: number
  start: number
  end: number
}

function recordAt(message: DnsMessage, at: number): RecordPlace {
  const fixed = nameEnd(message, at)
  const start = fixed + 10
  const end = start + numberAt(message, fixed + 8, 2)
  if (end > message.bytes.length) throw new MalformedReply('it ends in the middle of a record')
  const [type, klass] = [numberAt(message, fixed, 2), numberAt(message, fixed + 2, 2)]
  return { nameStart: at, type, class: klass, ttl: numberAt(message, fixed + 4, 4), start, end }
}

/** All records of the message with their section, in order. */
function* recordsOf(message: DnsMessage, from: number): Generator<RecordPlace & { section: number }> {
  let at = from
  for (const section of [0, 1, 2]) {
    for (let left = numberAt(message, 6 + 2 * section, 2); left > 0; left -= 1) {
      const record = recordAt(message, at)
      yield { ...record, section }
      at = record.end
    }
  }
}

const lineOf = ({ name, type, TTL, data }: DnsRecord): string => `${name} ${TTL} IN ${type} ${data}`

/**
 * Reads an answer to a question. Its names are written as `asked` writes them, whatever letters the question was sent
 * in. Throws `MalformedReply`.
 */
export function readReply(received: Buffer, asked: { name: string; wire: Buffer }): DnsReply {
  const bytes = Buffer.from(received)
  // Names of the answer point to the question.
  asked.wire.copy(bytes, headerBytes)
  const message = dnsMessage(bytes)
  const header = numberAt(message, 2, 2)
  let code = header & codeBits
  const records: DnsRecord[] = []
  const lines: string[] = []
  let characters = 0
  let more = false
  for (const place of recordsOf(message, nameEnd(message, headerBytes) + 4)) {
    if (place.section === 2 && place.type === optType) code |= (place.ttl >>> 24) << 4
    if (place.section !== 0 || place.class !== internet) continue
    more ||= characters > keptCharacters
    if (more) continue
    const { name } = nameAt(message, place.nameStart)
    const record = {
      name: name.toLowerCase() === asked.name.toLowerCase() ? asked.name : name,
      type: typeName(place.type),
      TTL: place.ttl,
      data: dataText(place.type, { message, start: place.start, end: place.end }),
    }
    records.push(record)
    const line = lineOf(record)
    lines.push(line)
    characters += line.length + 1
  }
  const flag = (name: keyof typeof flagBits) => (header & flagBits[name]) !== 0
  const flags = { TC: flag('TC'), RD: flag('RD'), RA: flag('RA'), AD: flag('AD'), CD: flag('CD') }
  return { status: codeName(code), flags, records, text: lines.join('\n'), more }
}
