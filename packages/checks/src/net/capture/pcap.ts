/** Bytes before the first record of a pcap file, and before the packet of each record. */
export const fileHeader = 24
const recordHeader = 16
/** "Linux cooked" v1: the same form of header for packets of all interfaces. */
export const linkType = { name: 'LINUX_SLL', number: 113, header: 16 } as const
const magic = 0xa1b2c3d4
/** No program that captures writes a longer one. */
const longestPacket = 262_144

/** What comes from a program is no pcap stream of the agreed form. */
export class NoPcap extends Error {}

/** A captured packet, and the record that it stands in. */
export interface PcapRecord {
  /** Epoch milliseconds. */
  at: number
  packet: Buffer
  record: Buffer
}

/** How the numbers of a pcap stream are written, from its header. */
export function readOrder(header: Buffer): 'LE' | 'BE' {
  const order = header.readUInt32LE(0) === magic ? 'LE' : 'BE'
  const read = order === 'LE' ? header.readUInt32LE.bind(header) : header.readUInt32BE.bind(header)
  if (read(0) !== magic || read(20) !== linkType.number) throw new NoPcap('it is no pcap stream of LINUX_SLL')
  return order
}

/** Bytes of the whole records that this begins with. */
export function wholeRecords(bytes: Buffer, order: 'LE' | 'BE'): number {
  let end = 0
  while (end + recordHeader <= bytes.length) {
    const length = order === 'LE' ? bytes.readUInt32LE(end + 8) : bytes.readUInt32BE(end + 8)
    if (length > longestPacket) throw new NoPcap(`a packet of ${length} bytes`)
    if (end + recordHeader + length > bytes.length) break
    end += recordHeader + length
  }
  return end
}

/** The records of bytes that `wholeRecords` has measured. */
export function* recordsOf(bytes: Buffer, order: 'LE' | 'BE'): Generator<PcapRecord> {
  const read = (at: number) => (order === 'LE' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  for (let start = 0; start < bytes.length;) {
    const end = start + recordHeader + read(start + 8)
    const at = read(start) * 1000 + read(start + 4) / 1000
    yield { at, packet: bytes.subarray(start + recordHeader, end), record: bytes.subarray(start, end) }
    start = end
  }
}
