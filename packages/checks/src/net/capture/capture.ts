import { captureLimit } from '@vedette/wire'
import type { Contact } from '../egress/contact.ts'
import { startProgram, type Command, type Program } from '../packets/start-program.ts'
import { fileHeader, linkType, NoPcap } from './pcap.ts'
import { PacketRing } from './packet-ring.ts'
import { packetsOfAttempt } from './packets-of-attempt.ts'

/** Bytes of each packet: its headers, and the beginning of what it carries. */
const snapLength = 160
/** An attempt lasts thirty seconds, and is asked for a few later. */
const ring = { bytes: 16 * 1024 * 1024, ageMs: 60_000 }
/** A machine with more traffic than this is not listened to for a while: bytes, and milliseconds. */
const busy = { bytes: 64 * 1024 * 1024, withinMs: 60_000, pauseMs: 600_000 }
/** It is started again so long after it ended by itself, in milliseconds. */
const restartMs = 60_000
const startLimitMs = 5000

/** Without `-U` packets stay in its buffer for as long as there are few. */
const tcpdump: Command = [
  'tcpdump',
  '-i',
  'any',
  '-y',
  linkType.name,
  '-n',
  '-U',
  '-s',
  String(snapLength),
  '-w',
  '-',
  'tcp or icmp or icmp6',
]

/** A capture that goes on all the time, in memory alone. */
export interface PacketCapture {
  /** A pcap file of the packets of one attempt and no others; undefined when there are none. */
  packetsOf(contacts: readonly Contact[], endedAt: number): Buffer | undefined
  /** It does not listen now, and will again after a while. */
  readonly isPaused: boolean
  close(): void
}

export interface CaptureOptions {
  command?: Command
  limits?: { ring?: typeof ring; busy?: typeof busy }
}

/** Listens with tcpdump. Undefined where this machine has none or may not capture. */
export async function startCapture(options: CaptureOptions = {}): Promise<PacketCapture | undefined> {
  const capture = new RunningCapture(options)
  if (await capture.start()) return capture
  capture.close()
  return undefined
}

class RunningCapture implements PacketCapture {
  readonly #options: CaptureOptions
  #program: Program | undefined
  #ring: PacketRing
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #load = { since: 0, bytes: 0 }

  constructor(options: CaptureOptions) {
    this.#options = options
    this.#ring = this.#emptyRing()
  }

  /** Whether it captures. Afterwards it is started again whenever it ends. */
  start(): Promise<boolean> {
    return new Promise((resolve) => {
      const limit = setTimeout(() => resolve(false), startLimitMs)
      const settle = (works: boolean) => {
        clearTimeout(limit)
        resolve(works)
      }
      this.#run(settle)
    })
  }

  packetsOf(contacts: readonly Contact[], endedAt: number): Buffer | undefined {
    if (contacts.length === 0) return undefined
    const parts: Buffer[] = []
    let size = fileHeader
    for (const { record } of packetsOfAttempt(this.#ring.records(), contacts, endedAt)) {
      size += record.length
      if (size > captureLimit) break
      parts.push(record)
    }
    return parts.length === 0 ? undefined : Buffer.concat([this.#ring.header(snapLength), ...parts])
  }

  get isPaused(): boolean {
    return this.#timer !== undefined
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#end()
  }

  #emptyRing = () => new PacketRing(this.#options.limits?.ring ?? ring)

  #run(onStart: (works: boolean) => void): void {
    this.#timer = undefined
    this.#ring = this.#emptyRing()
    this.#load = { since: performance.now(), bytes: 0 }
    const program = startProgram(this.#options.command ?? tcpdump, () => {
      onStart(false)
      if (this.#program === program) this.#restartAfter(restartMs)
    })
    this.#program = program
    program.stdout.on('data', (bytes: Buffer) => {
      if (this.#program !== program) return
      // It begins to write when it begins to listen.
      onStart(true)
      this.#take(bytes)
    })
  }

  #take(bytes: Buffer): void {
    const { bytes: most, withinMs, pauseMs } = this.#options.limits?.busy ?? busy
    const now = performance.now()
    if (now - this.#load.since > withinMs) this.#load = { since: now, bytes: 0 }
    this.#load.bytes += bytes.length
    if (this.#load.bytes > most) return this.#pause(pauseMs)
    try {
      this.#ring.push(bytes)
    } catch (error) {
      if (!(error instanceof NoPcap)) throw error
      this.#pause(restartMs)
    }
  }

  #pause(forMs: number): void {
    this.#end()
    this.#ring = this.#emptyRing()
    this.#restartAfter(forMs)
  }

  #end(): void {
    this.#program?.kill('SIGKILL')
    this.#program = undefined
  }

  #restartAfter(ms: number): void {
    if (this.#isClosed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#run(() => undefined), ms)
    this.#timer.unref()
  }
}
