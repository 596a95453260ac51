import { address6, MalformedReply, nameAt, numberAt, printable, type DataPlace } from './dns-parts.ts'

/** Names of service parameters. Source: RFC 9460, section 14.3.2. */
const parameterNames = ['mandatory', 'alpn', 'no-default-alpn', 'port', 'ipv4hint', 'ech', 'ipv6hint'] as const

const nameOf = (key: number): string => parameterNames[key] ?? `key${key}`

const wrongParameter = () => new MalformedReply('a parameter of a record in it has the wrong length')

/** Cuts into pieces of one length. */
function pieces(value: Buffer, size: number): Buffer[] {
  if (value.length === 0 || value.length % size !== 0) throw wrongParameter()
  return Array.from({ length: value.length / size }, (_, index) => value.subarray(index * size, (index + 1) * size))
}

function protocols(value: Buffer): string {
  const names: string[] = []
  for (let at = 0; at < value.length;) {
    const size = value.readUInt8(at)
    if (size === 0 || at + 1 + size > value.length) throw wrongParameter()
    names.push(printable(value.subarray(at + 1, at + 1 + size)))
    at += 1 + size
  }
  return `"${names.join(',')}"`
}

const values: Readonly<Record<string, (value: Buffer) => string>> = {
  mandatory: (value) =>
    pieces(value, 2)
      .map((key) => nameOf(key.readUInt16BE(0)))
      .join(','),
  alpn: protocols,
  port: (value) =>
    pieces(value, 2)
      .map((port) => port.readUInt16BE(0))
      .join(','),
  ipv4hint: (value) =>
    pieces(value, 4)
      .map((each) => each.join('.'))
      .join(','),
  ech: (value) => `"${value.toString('base64')}"`,
  ipv6hint: (value) => pieces(value, 16).map(address6).join(','),
}

function parameterText(key: number, value: Buffer): string {
  const name = nameOf(key)
  const text = values[name]?.(value)
  if (text !== undefined) return `${name}=${text}`
  return value.length === 0 ? name : `${name}="${printable(value)}"`
}

/** Data of an HTTPS or SVCB record: priority, target and parameters. */
export function httpsText({ message, start, end }: DataPlace): string {
  const priority = numberAt(message, start, 2)
  const target = nameAt(message, start + 2)
  const parameters: string[] = []
  for (let at = target.end; at < end;) {
    const valueEnd = at + 4 + numberAt(message, at + 2, 2)
    if (valueEnd > end) throw wrongParameter()
    parameters.push(parameterText(numberAt(message, at, 2), message.bytes.subarray(at + 4, valueEnd)))
    at = valueEnd
  }
  if (target.end > end) throw wrongParameter()
  return [priority, target.name, ...parameters].join(' ')
}
