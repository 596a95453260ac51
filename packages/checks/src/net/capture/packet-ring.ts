import { fileHeader, readOrder, recordsOf, wholeRecords, type PcapRecord } from './pcap.ts'

/** What is kept of a pcap stream: bytes, and milliseconds since a packet arrived here. */
export interface RingLimits {
  bytes: number
  ageMs: number
}

/** The newest packets of a pcap stream, as whole records. They are read only when somebody asks for some. */
export class PacketRing {
  readonly #limits: RingLimits
  #order: 'LE' | 'BE' | undefined
  #rest: Buffer = Buffer.alloc(0)
  #parts: { records: Buffer; at: number }[] = []
  #bytes = 0

  constructor(limits: RingLimits) {
    this.#limits = limits
  }

  /** Bytes of a pcap stream, cut anywhere. Throws `NoPcap`. */
  push(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    if (this.#order === undefined) {
      if (this.#rest.length < fileHeader) return
      this.#order = readOrder(this.#rest)
      this.#rest = this.#rest.subarray(fileHeader)
    }
    const end = wholeRecords(this.#rest, this.#order)
    if (end === 0) return
    this.#parts.push({ records: this.#rest.subarray(0, end), at: performance.now() })
    // A copy: the rest of a part must not keep the whole part in memory.
    this.#rest = Buffer.from(this.#rest.subarray(end))
    this.#bytes += end
    this.#forget()
  }

  *records(): Generator<PcapRecord> {
    this.#forget()
    for (const { records } of this.#parts) yield* recordsOf(records, this.#order ?? 'LE')
  }

  /** The header of a file with records of this stream. */
  header(snapLength: number): Buffer {
    const header = Buffer.alloc(fileHeader)
    const order = this.#order ?? 'LE'
    const fields: [value: number, offset: number, size: 2 | 4][] = [
      [0xa1b2c3d4, 0, 4],
      [2, 4, 2],
      [4, 6, 2],
      [snapLength, 16, 4],
      [113, 20, 4],
    ]
    for (const [value, offset, size] of fields)
      if (order === 'LE') header.writeUIntLE(value, offset, size)
      else header.writeUIntBE(value, offset, size)
    return header
  }

  #forget(): void {
    const before = performance.now() - this.#limits.ageMs
    let gone = 0
    for (const { records, at } of this.#parts) {
      if (this.#bytes <= this.#limits.bytes && at >= before) break
      this.#bytes -= records.length
      gone += 1
    }
    if (gone > 0) this.#parts = this.#parts.slice(gone)
  }
}
