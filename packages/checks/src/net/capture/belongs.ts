import ipaddr from 'ipaddr.js'
import { linkType } from './pcap.ts'

const etherTypes = { 0x0800: 4, 0x86dd: 6 } as Readonly<Record<number, 4 | 6>>
const tcp = 6
/** ICMP messages that quote the packet which they are about. */
const errors = { 4: new Set([3, 4, 5, 11, 12]), 6: new Set([1, 2, 3, 4]) } as const
const icmpOf = { 4: 1, 6: 58 } as const
const syn = 0x02
const ack = 0x10

/** The end of a connection that is not ours. */
export interface Remote {
  address: Buffer
  port: number
}

export const remoteOf = ({ address, port }: { address: string; port: number }): Remote => ({
  address: Buffer.from(ipaddr.process(address).toByteArray()),
  port,
})

/** Our port of the connection a packet belongs to, and whether it is the first packet of it. */
export interface Belonging {
  localPort: number
  begins: boolean
}

interface IpPacket {
  version: 4 | 6
  protocol: number
  source: Buffer
  target: Buffer
  content: Buffer
}

function readIp(bytes: Buffer): IpPacket | undefined {
  const first = bytes[0] ?? 0
  const version = first >> 4
  if (version === 4 && bytes.length >= 20) {
    // Only the first fragment has ports.
    if ((bytes.readUInt16BE(6) & 0x1fff) !== 0) return undefined
    const content = bytes.subarray((first & 0x0f) * 4)
    const [source, target] = [bytes.subarray(12, 16), bytes.subarray(16, 20)]
    return { version, protocol: bytes[9] ?? 0, source, target, content }
  }
  if (version !== 6 || bytes.length < 40) return undefined
  const [source, target] = [bytes.subarray(8, 24), bytes.subarray(24, 40)]
  return { version, protocol: bytes[6] ?? 0, source, target, content: bytes.subarray(40) }
}

function ofTcp({ source, target, content }: IpPacket, remote: Remote): Belonging | undefined {
  if (content.length < 4) return undefined
  const [from, to] = [content.readUInt16BE(0), content.readUInt16BE(2)]
  if (to === remote.port && target.equals(remote.address)) {
    const flags = content[13] ?? 0
    return { localPort: from, begins: (flags & (syn | ack)) === syn }
  }
  return from === remote.port && source.equals(remote.address) ? { localPort: to, begins: false } : undefined
}

/** What a captured packet has to do with connections to a machine and port; undefined when nothing. */
export function belongingOf(packet: Buffer, remote: Remote): Belonging | undefined {
  if (packet.length < linkType.header || etherTypes[packet.readUInt16BE(14)] === undefined) return undefined
  const ip = readIp(packet.subarray(linkType.header))
  if (ip === undefined) return undefined
  if (ip.protocol === tcp) return ofTcp(ip, remote)
  if (ip.protocol !== icmpOf[ip.version] || !errors[ip.version].has(ip.content[0] ?? 0)) return undefined
  const quoted = readIp(ip.content.subarray(8))
  const belonging = quoted?.protocol === tcp ? ofTcp(quoted, remote) : undefined
  return belonging && { ...belonging, begins: false }
}
