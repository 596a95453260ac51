import { questionTypes } from './dns-message.ts'
import { httpsText } from './dns-https-data.ts'
import { address6, nameAt, numberAt, printable, wrongLength, type DataPlace } from './dns-parts.ts'

const otherTypes: Readonly<Record<number, string>> = {
  35: 'NAPTR',
  39: 'DNAME',
  43: 'DS',
  46: 'RRSIG',
  47: 'NSEC',
  48: 'DNSKEY',
  50: 'NSEC3',
  52: 'TLSA',
  64: 'SVCB',
}
const typeNames = new Map<number, string>([
  ...Object.entries(questionTypes).map(([name, number]) => [number, name] as const),
  ...Object.entries(otherTypes).map(([number, name]) => [Number(number), name] as const),
])

/** Name of a type of records; `TYPE123` for one without. Source: RFC 3597. */
export const typeName = (type: number): string => typeNames.get(type) ?? `TYPE${type}`

const bytesOf = ({ message, start, end }: DataPlace): Buffer => message.bytes.subarray(start, end)

/** One name that takes up all of the data, or all of it from `skip` on. */
function lastName({ message, start, end }: DataPlace, skip = 0): string {
  const { name, end: after } = nameAt(message, start + skip)
  if (after !== end) throw wrongLength()
  return name
}

function address(place: DataPlace): string {
  const bytes = bytesOf(place)
  if (bytes.length !== 4) throw wrongLength()
  return bytes.join('.')
}

/** The parts of a text record as one text. */
function texts(place: DataPlace): string {
  const bytes = bytesOf(place)
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const size = bytes.readUInt8(at)
    if (at + 1 + size > bytes.length) throw wrongLength()
    parts.push(bytes.subarray(at + 1, at + 1 + size))
    at += 1 + size
  }
  return printable(Buffer.concat(parts))
}

function startOfAuthority({ message, start, end }: DataPlace): string {
  const server = nameAt(message, start)
  const mailbox = nameAt(message, server.end)
  if (mailbox.end + 20 !== end) throw wrongLength()
  const numbers = [0, 4, 8, 12, 16].map((skip) => numberAt(message, mailbox.end + skip, 4))
  return [server.name, mailbox.name, ...numbers].join(' ')
}

function service(place: DataPlace): string {
  const { message, start } = place
  const [priority, weight, port] = [0, 2, 4].map((skip) => numberAt(message, start + skip, 2))
  return [priority, weight, port, lastName(place, 6)].join(' ')
}

function certification(place: DataPlace): string {
  const bytes = bytesOf(place)
  const tagEnd = 2 + (bytes[1] ?? Infinity)
  if (tagEnd > bytes.length) throw wrongLength()
  const value = printable(bytes.subarray(tagEnd)).replaceAll('"', String.raw`\"`)
  return `${bytes.readUInt8(0)} ${printable(bytes.subarray(2, tagEnd))} "${value}"`
}

/** Data of a type that is not known here. Source: RFC 3597. */
const opaque = (place: DataPlace): string => `\\# ${bytesOf(place).length} ${bytesOf(place).toString('hex')}`.trimEnd()

const readers: Readonly<Record<string, (place: DataPlace) => string>> = {
  A: address,
  AAAA: (place) => address6(bytesOf(place)),
  CNAME: (place) => lastName(place),
  DNAME: (place) => lastName(place),
  NS: (place) => lastName(place),
  PTR: (place) => lastName(place),
  MX: (place) => `${numberAt(place.message, place.start, 2)} ${lastName(place, 2)}`,
  TXT: texts,
  SOA: startOfAuthority,
  SRV: service,
  CAA: certification,
  HTTPS: httpsText,
  SVCB: httpsText,
}

/**
 * The data of a record as zone files and `dig` have it, names without the last dot and text records without quotes.
 * Throws `MalformedReply`.
 */
export const dataText = (type: number, place: DataPlace): string => (readers[typeName(type)] ?? opaque)(place)
