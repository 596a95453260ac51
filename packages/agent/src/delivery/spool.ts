import { mkdirSync } from 'node:fs'
import { open, readdir, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { lockDirectory, type DirectoryLock } from '@vedette/checks/process'
import type { Log } from '../log.ts'
import { refuseFirstVersion } from './first-version-lock.ts'
import { readSegment, recordLine, type Segment, type SpooledReport } from './spool-segment.ts'

export interface SpoolOptions {
  folder: string
  log: Log
  /** Oldest reports are dropped above this. */
  maxBytes?: number
}

const suffix = '.spool'

/** Results on disk that the server has not acknowledged yet, in the order they came. One process owns the folder. */
export class Spool {
  readonly #options: Required<SpoolOptions>
  readonly #lock: DirectoryLock
  readonly #segments: Segment[] = []
  #writer: { handle: FileHandle; segment: Segment } | undefined
  #nextNumber = 1
  #dropped = 0
  // Operations on the folder run one after another. This is the newest of them.
  #last: Promise<unknown> = Promise.resolve()

  private constructor(options: Required<SpoolOptions>, lock: DirectoryLock) {
    this.#options = options
    this.#lock = lock
  }

  /** Opens a folder and what an earlier process left in it. Throws `DirectoryInUse` when another one still runs. */
  static async open(options: SpoolOptions): Promise<Spool> {
    mkdirSync(options.folder, { recursive: true, mode: 0o700 })
    const lock = await lockDirectory(options.folder)
    try {
      await refuseFirstVersion(options.folder)
      const spool = new Spool({ maxBytes: 128 * 1024 * 1024, ...options }, lock)
      await spool.#load()
      return spool
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  /** Reports waiting. */
  get size(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.pending.size, 0)
  }

  /** Reports dropped for lack of space since the start. */
  get dropped(): number {
    return this.#dropped
  }

  /** The newest attempt ids waiting, at most `limit`. */
  attemptIds(limit: number): string[] {
    return this.#segments.flatMap((segment) => [...segment.pending]).slice(-limit)
  }

  /** Resolves when the reports are on disk and synced. */
  append(reports: readonly SpooledReport[]): Promise<void> {
    return this.#queued(async () => {
      const { handle, segment } = await this.#writable()
      const lines = reports.map(recordLine).join('')
      await handle.appendFile(lines)
      await handle.datasync()
      segment.bytes += Buffer.byteLength(lines)
      for (const { attemptId } of reports) segment.pending.add(attemptId)
      await this.#keepBounded()
    })
  }

  /** The oldest waiting reports. They stay until `forget` names them. */
  oldest(limit: number, maxBytes: number): Promise<SpooledReport[]> {
    return this.#queued(async () => {
      const segment = this.#segments.find(({ pending }) => pending.size > 0)
      if (segment === undefined) return []
      const { records } = await readSegment(segment.file)
      const waiting = records.filter(({ attemptId }) => segment.pending.has(attemptId)).slice(0, limit)
      let bytes = 0
      return waiting.filter(({ report }, index) => (bytes += report.length) <= maxBytes || index === 0)
    })
  }

  /** Removes reports that were delivered or refused for good. A segment is deleted when none of its reports wait. */
  forget(attemptIds: Iterable<string>): Promise<void> {
    const ids = [...attemptIds]
    return this.#queued(async () => {
      for (const segment of this.#segments) for (const id of ids) segment.pending.delete(id)
      for (const segment of this.#segments.filter(({ pending }) => pending.size === 0)) await this.#remove(segment)
    })
  }

  async close(): Promise<void> {
    await this.#queued(() => this.#seal())
    await this.#lock.release()
  }

  async #load(): Promise<void> {
    const { folder, log } = this.#options
    const names = (await readdir(folder)).filter((name) => name.endsWith(suffix)).toSorted()
    for (const name of names) {
      const file = join(folder, name)
      const { records, damaged, bytes } = await readSegment(file)
      if (damaged > 0) log.warn({ file, damaged }, 'the spool holds unreadable results, left by a sudden end')
      this.#segments.push({ file, bytes, pending: new Set(records.map(({ attemptId }) => attemptId)) })
      this.#nextNumber = Number.parseInt(name, 10) + 1
    }
    for (const segment of this.#segments.filter(({ pending }) => pending.size === 0)) await this.#remove(segment)
    if (this.size > 0) log.info({ waiting: this.size }, 'results of an earlier process wait to be delivered')
  }

  async #writable(): Promise<{ handle: FileHandle; segment: Segment }> {
    const segmentBytes = Math.min(1024 * 1024, this.#options.maxBytes / 4)
    if (this.#writer !== undefined && this.#writer.segment.bytes >= segmentBytes) await this.#seal()
    if (this.#writer === undefined) {
      const file = join(this.#options.folder, `${String(this.#nextNumber++).padStart(12, '0')}${suffix}`)
      const handle = await open(file, 'ax', 0o600)
      await syncFolder(this.#options.folder)
      const segment: Segment = { file, bytes: 0, pending: new Set() }
      this.#segments.push(segment)
      this.#writer = { handle, segment }
    }
    return this.#writer
  }

  async #keepBounded(): Promise<void> {
    const { maxBytes, log } = this.#options
    const total = () => this.#segments.reduce((sum, { bytes }) => sum + bytes, 0)
    for (let oldest = this.#segments[0]; oldest !== undefined && total() > maxBytes; oldest = this.#segments[0]) {
      if (this.#segments.length === 1) return
      const lost = oldest.pending.size
      await this.#remove(oldest)
      this.#dropped += lost
      log.error({ lost, dropped: this.#dropped, maxBytes }, 'the spool is full: its oldest results are dropped')
    }
  }

  async #remove(segment: Segment): Promise<void> {
    if (this.#writer?.segment === segment) await this.#seal()
    this.#segments.splice(this.#segments.indexOf(segment), 1)
    await rm(segment.file, { force: true })
  }

  async #seal(): Promise<void> {
    const writer = this.#writer
    this.#writer = undefined
    await writer?.handle.close()
  }

  #queued<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work)
    this.#last = next.catch(() => undefined)
    return next
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
