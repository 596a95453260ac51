import { DirectoryInUse, lockDirectory, type DirectoryLock } from '@vedette/checks/process'
import type { Log } from '../log.ts'
import { refuseFirstVersion } from './first-version-lock.ts'
import { errorCode, isOfTheDisk, isPassing, realFiles, type SpoolFiles } from './spool-files.ts'
import { spoolFolder, type SpoolFolder } from './spool-folder.ts'
import { readRecords, type Segment, type SpooledReport } from './spool-segment.ts'
import { createSegment, type SpoolWriter } from './spool-writer.ts'
import { newestDue, thinSegment } from './thin-segment.ts'

/** Results that are due this long before the newest are of no more use: no plan holds for longer. */
const longestMs = 8 * 24 * 60 * 60_000

export interface SpoolOptions {
  folder: string
  log: Log
  /** Reports are dropped above this: the oldest passes first. */
  maxBytes?: number
  /** Opens also when the folder cannot be used, whatever the reason, but for another process that uses it. */
  isOptional?: boolean | undefined
  files?: SpoolFiles
}

/**
 * Results on disk that the server has not acknowledged yet, in the order they came. One process owns the folder. What
 * cannot be read is set aside and counted, and never holds up what can.
 */
export class Spool {
  readonly #options: SpoolOptions & Required<Pick<SpoolOptions, 'maxBytes' | 'files'>>
  readonly #folder: SpoolFolder
  #lock: DirectoryLock | undefined
  #segments: Segment[] = []
  #writer: SpoolWriter | undefined
  #nextNumber = 1
  #dropped = 0
  #unreadable = 0
  #trouble: string | undefined
  // Operations on the folder run one after another. This is the newest of them.
  #last: Promise<unknown> = Promise.resolve()

  private constructor(options: SpoolOptions) {
    this.#options = { maxBytes: 512 * 1024 * 1024, files: realFiles, ...options }
    this.#folder = spoolFolder(options.folder, this.#options.files, options.log)
  }

  /**
   * Opens a folder and what an earlier process left in it. Throws `DirectoryInUse` when another one still runs, and what
   * is wrong with the folder. With a disk in trouble it opens all the same, and every append tries again.
   */
  static async open(options: SpoolOptions): Promise<Spool> {
    const spool = new Spool(options)
    try {
      await spool.#queued(() => spool.#prepare())
    } catch (error) {
      if (error instanceof DirectoryInUse || !(options.isOptional || isOfTheDisk(error))) throw error
      spool.#trouble = String(error)
      options.log.error({ error }, 'the spool cannot be opened now: results are kept in memory until it can')
    }
    return spool
  }

  /** Reports waiting. */
  get size(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.pending.size, 0)
  }

  /** Reports dropped for lack of space, or because of their age, since the start. */
  get dropped(): number {
    return this.#dropped
  }

  /** Reports that cannot be read, since the start. A segment that cannot be read at all counts as one at least. */
  get unreadable(): number {
    return this.#unreadable
  }

  /** Why reports could not be written the last time; undefined while they can. */
  get trouble(): string | undefined {
    return this.#trouble
  }

  has(attemptId: string): boolean {
    return this.#segments.some(({ pending }) => pending.has(attemptId))
  }

  /** The newest attempt ids waiting, at most `limit`. */
  attemptIds(limit: number): string[] {
    return this.#segments.flatMap((segment) => [...segment.pending]).slice(-limit)
  }

  /** Resolves when the reports are on disk and synced. After a rejection none of them is waiting here. */
  append(reports: readonly SpooledReport[]): Promise<void> {
    return this.#queued(async () => {
      try {
        await this.#write(reports)
        this.#trouble = undefined
      } catch (error) {
        this.#trouble = String(error)
        throw error
      }
      await this.#keepBounded()
    })
  }

  /** The oldest waiting reports but those `except`. They stay until `forget` names them. */
  oldest(limit: number, maxBytes: number, except: ReadonlySet<string> = new Set()): Promise<SpooledReport[]> {
    return this.#queued(async () => {
      for (const segment of this.#segments.slice()) {
        if ([...segment.pending].every((attemptId) => except.has(attemptId))) continue
        const waiting = await this.#waiting(segment)
        const wanted = waiting.filter(({ attemptId }) => !except.has(attemptId)).slice(0, limit)
        let bytes = 0
        if (wanted.length > 0)
          return wanted.filter(({ report }, at) => (bytes += report.length) <= maxBytes || at === 0)
        if (waiting.length === 0) await this.#remove(segment)
      }
      return []
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
    await this.#unlock()
  }

  /** Takes the folder, unless this process has it. */
  async #prepare(): Promise<void> {
    if (this.#lock !== undefined) return
    const { folder, files } = this.#options
    await files.mkdir(folder)
    this.#lock = await lockDirectory(folder)
    try {
      await refuseFirstVersion(folder)
      await this.#load()
    } catch (error) {
      await this.#unlock()
      throw error
    }
  }

  async #unlock(): Promise<void> {
    const lock = this.#lock
    this.#lock = undefined
    const { log } = this.#options
    await lock?.release().catch((error: unknown) => log.warn({ error }, 'the lock of the spool stays behind'))
  }

  async #load(): Promise<void> {
    const { segments, nextNumber } = await this.#folder.list()
    this.#nextNumber = nextNumber
    this.#segments = []
    for (const file of segments) {
      const segment: Segment = { file, bytes: 0, pending: new Set(), damaged: false }
      this.#segments.push(segment)
      const {
        records,
        damaged,
        bytes,
        reason = 'left by a sudden end, or by another version',
      } = await this.#read(segment)
      for (const { attemptId } of records) segment.pending.add(attemptId)
      segment.bytes = bytes
      if (damaged > 0) this.#noteUnreadable(segment, damaged, reason)
      if (segment.pending.size === 0) await this.#remove(segment)
    }
    if (this.size > 0) this.#options.log.info({ waiting: this.size }, 'results of an earlier process wait')
  }

  /** What of a segment waits. Waiting reports that are not in it any more are given up. */
  async #waiting(segment: Segment): Promise<SpooledReport[]> {
    const { records, reason = 'damaged since they were written' } = await this.#read(segment)
    const readable = new Set(records.map(({ attemptId }) => attemptId))
    const lost = [...segment.pending].filter((attemptId) => !readable.has(attemptId))
    for (const attemptId of lost) segment.pending.delete(attemptId)
    if (lost.length > 0) this.#noteUnreadable(segment, lost.length, reason)
    return records.filter(({ attemptId }) => segment.pending.has(attemptId))
  }

  /** Rejects only for trouble that passes. Of a file that cannot be read one record at least is damaged. */
  async #read(segment: Segment) {
    try {
      const raw = await this.#options.files.readFile(segment.file)
      return { ...readRecords(raw), bytes: raw.length }
    } catch (error) {
      if (isPassing(error)) throw error
      return { records: [], damaged: 1, bytes: 0, reason: String(error) }
    }
  }

  #noteUnreadable(segment: Segment, damaged: number, reason: string): void {
    this.#unreadable += damaged
    if (segment.damaged) return
    segment.damaged = true
    const { log } = this.#options
    log.error({ file: segment.file, damaged, reason }, 'the spool holds unreadable results: their file is set aside')
  }

  async #write(reports: readonly SpooledReport[]): Promise<void> {
    await this.#prepare()
    try {
      await this.#writeOnce(reports)
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error
      await this.#startAnew()
      await this.#writeOnce(reports)
    }
  }

  async #writeOnce(reports: readonly SpooledReport[]): Promise<void> {
    const segmentBytes = Math.min(1024 * 1024, this.#options.maxBytes / 4)
    if (this.#writer !== undefined && this.#writer.segment.bytes >= segmentBytes) await this.#seal()
    this.#writer ??= await this.#nextSegment()
    try {
      await this.#writer.append(reports)
    } catch (error) {
      await this.#seal()
      throw error
    }
  }

  /** The folder or its newest file was deleted by somebody: takes the folder again, with what is left in it. */
  async #startAnew(): Promise<void> {
    const before = this.#segments.flatMap(({ pending }) => [...pending])
    await this.#seal()
    await this.#unlock()
    await this.#prepare()
    const left = new Set(this.#segments.flatMap(({ pending }) => [...pending]))
    const lost = before.filter((attemptId) => !left.has(attemptId)).length
    this.#unreadable += lost
    this.#options.log.error({ lost, left: left.size }, 'files of the spool vanished')
  }

  async #nextSegment(): Promise<SpoolWriter> {
    const { files, log } = this.#options
    const writer = await createSegment(this.#folder.fileOf(this.#nextNumber++), files, log)
    this.#segments.push(writer.segment)
    return writer
  }

  /** The oldest routine results go first, then the oldest of all; and what is older than a week beside the newest. */
  async #keepBounded(): Promise<void> {
    const { maxBytes } = this.#options
    const newest = this.#segments.at(-1)
    const tooOld = ((newest && newestDue(newest)) ?? 0) - longestMs
    for (const segment of this.#segments.slice(0, -1))
      if ((newestDue(segment) ?? Infinity) < tooOld) await this.#drop(segment, 'too old')
    while (this.#segments.length > 1 && this.#bytes > maxBytes) {
      const routine = this.#segments.slice(0, -1).find(({ thinned }) => thinned !== true)
      if (routine !== undefined && (await this.#thin(routine))) continue
      const [oldest] = this.#segments
      if (oldest !== undefined) await this.#drop(oldest, 'the oldest')
    }
  }

  get #bytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** False when the disk does not take the shorter file. */
  async #thin(segment: Segment): Promise<boolean> {
    const { files, log } = this.#options
    try {
      this.#noteDropped(await thinSegment(segment, files), 'routine passes')
      if (segment.pending.size === 0) await this.#remove(segment)
      return true
    } catch (error) {
      log.warn({ error, file: segment.file }, 'a segment of the full spool cannot be made shorter')
      return false
    }
  }

  async #drop(segment: Segment, what: string): Promise<void> {
    const lost = segment.pending.size
    await this.#remove(segment)
    this.#noteDropped(lost, what)
  }

  #noteDropped(lost: number, what: string): void {
    if (lost === 0) return
    this.#dropped += lost
    const { maxBytes, log } = this.#options
    log.error({ lost, what, dropped: this.#dropped, maxBytes }, 'the spool is full: results are dropped')
  }

  async #remove(segment: Segment): Promise<void> {
    if (this.#writer?.segment === segment) await this.#endWriter()
    this.#segments = this.#segments.filter((other) => other !== segment)
    if (segment.damaged) await this.#folder.setAside(segment.file)
    else await this.#folder.remove(segment.file)
  }

  /** Ends the newest segment: the next append begins another. */
  async #seal(): Promise<void> {
    const segment = await this.#endWriter()
    if (segment?.pending.size === 0) await this.#remove(segment)
  }

  async #endWriter(): Promise<Segment | undefined> {
    const writer = this.#writer
    this.#writer = undefined
    await writer?.close()
    return writer?.segment
  }

  #queued<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work)
    this.#last = next.catch(() => undefined)
    return next
  }
}
