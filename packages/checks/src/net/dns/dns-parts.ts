import { isUtf8 } from 'node:buffer'

/** A reply that cannot be read. The message says what is wrong with it. */
export class MalformedReply extends Error {
  constructor(text: string) {
    super(text)
    this.name = 'MalformedReply'
  }
}

/** A message, and how many pointers to earlier names may still be followed in it. */
export interface DnsMessage {
  bytes: Buffer
  pointersLeft: number
}

/** Longest name on the wire. */
const nameBytes = 255
/** More than any server writes: a full message has some 4000 records. */
const mostPointers = 20_000

export const dnsMessage = (bytes: Buffer): DnsMessage => ({ bytes, pointersLeft: mostPointers })

/** `width` bytes at `at` as a number. Throws `MalformedReply` where the message is over. */
export function numberAt({ bytes }: DnsMessage, at: number, width: 1 | 2 | 4): number {
  if (at + width > bytes.length) throw new MalformedReply('it ends in the middle of a record')
  return bytes.readUIntBE(at, width)
}

/** A byte of a name as text. Source: RFC 1035, section 5.1. */
function characterOf(byte: number): string {
  const character = String.fromCharCode(byte)
  if (character === '.' || character === '\\') return `\\${character}`
  return byte > 0x20 && byte < 0x7f ? character : `\\${String(byte).padStart(3, '0')}`
}

function labelText(label: Buffer): string {
  const text = label.toString('latin1')
  return /^[\w-]*$/.test(text) ? text : [...label].map(characterOf).join('')
}

/** Where the pointer at `at` leads: back, or a message could keep its reader busy. */
function pointedAt(message: DnsMessage, at: number): number {
  const target = numberAt(message, at, 2) & 0x3fff
  message.pointersLeft -= 1
  if (message.pointersLeft < 0 || target >= at) throw new MalformedReply('a compressed name in it leads nowhere')
  return target
}

/** The name at `at` in presentation form without the last dot, and where what follows it begins. */
export function nameAt(message: DnsMessage, at: number): { name: string; end: number } {
  const labels: string[] = []
  let end: number | undefined
  let length = 1
  for (let position = at; ;) {
    const size = numberAt(message, position, 1)
    if (size === 0) return { name: labels.join('.') || '.', end: end ?? position + 1 }
    if (size >= 0xc0) {
      end ??= position + 2
      position = pointedAt(message, position)
      continue
    }
    length += size + 1
    if (size > 0x3f || length > nameBytes || position + size >= message.bytes.length)
      throw new MalformedReply('a name in it is longer than names can be')
    labels.push(labelText(message.bytes.subarray(position + 1, position + 1 + size)))
    position += size + 1
  }
}

/** Where the name at `at` ends, without following it. */
export function nameEnd(message: DnsMessage, at: number): number {
  for (let position = at; ;) {
    const size = numberAt(message, position, 1)
    if (size === 0) return position + 1
    if (size >= 0xc0) return position + 2
    if (size > 0x3f) throw new MalformedReply('a name in it is longer than names can be')
    position += size + 1
  }
}

/** Where the data of a record is. */
export interface DataPlace {
  message: DnsMessage
  start: number
  end: number
}

/** For a record whose data is shorter or longer than its length says. */
export const wrongLength = () =>
  new MalformedReply('the data of a record in it is shorter or longer than its length says')

/** Control characters as `\010`, so that a record stays one line; what is no UTF-8 likewise. */
export function printable(bytes: Buffer): string {
  const text = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
  const unprintable = isUtf8(bytes) ? /\p{Cc}/gu : /[^ -~]/gu
  return text.replaceAll(unprintable, (character) => `\\${String(character.charCodeAt(0)).padStart(3, '0')}`)
}

/** The one form of an IPv6 address. Source: RFC 5952. */
export function address6(bytes: Buffer): string {
  if (bytes.length !== 16) throw wrongLength()
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16))
  const { hostname } = new URL(`http://[${groups.join(':')}]`)
  return hostname.slice(1, -1)
}
