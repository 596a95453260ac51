import { dirname } from 'node:path'
import type { FileHandle } from 'node:fs/promises'
import type { Log } from '../log.ts'
import type { SpoolFiles } from './spool-files.ts'
import { recordLine, type Segment, type SpooledReport } from './spool-segment.ts'

/** A new segment that is appended to. */
export interface SpoolWriter {
  readonly segment: Segment
  /** Resolves when the reports are on disk and synced. After a rejection only `close` may follow. */
  append(reports: readonly SpooledReport[]): Promise<void>
  /** Never rejects: what was appended is on disk already. */
  close(): Promise<void>
}

/** Creates a segment file that survives a power failure from here on. */
export async function createSegment(file: string, files: SpoolFiles, log: Log): Promise<SpoolWriter> {
  const handle = await files.open(file, 'ax', 0o600)
  const segment: Segment = { file, bytes: 0, pending: new Set(), damaged: false }
  const close = () =>
    handle.close().catch((error: unknown) => log.warn({ error, file }, 'a segment did not close well'))
  try {
    await syncFolder(dirname(file), files)
  } catch (error) {
    await close()
    await files.rm(file).catch((cause: unknown) => log.debug({ error: cause, file }, 'an empty segment stays'))
    throw error
  }
  const append = async (reports: readonly SpooledReport[]) => {
    const lines = reports.map(recordLine).join('')
    try {
      await handle.appendFile(lines)
      await handle.datasync()
      await refuseDeleted(handle, file)
    } catch (error) {
      await cutBack(handle, segment, log)
      throw error
    }
    segment.bytes += Buffer.byteLength(lines)
    for (const { attemptId } of reports) segment.pending.add(attemptId)
  }
  return { segment, append, close }
}

/** What is written to a deleted file is gone with it. */
async function refuseDeleted(handle: FileHandle, file: string): Promise<void> {
  const { nlink } = await handle.stat()
  if (nlink === 0) throw Object.assign(new Error(`ENOENT: ${file} was deleted`), { code: 'ENOENT' })
}

/** Takes away what a failed append has written. A part that stays is skipped by its checksum. */
async function cutBack(handle: FileHandle, { bytes, file }: Segment, log: Log): Promise<void> {
  try {
    await handle.truncate(bytes)
  } catch (error) {
    log.warn({ error, file }, 'a torn record stays at the end of its segment')
  }
}

async function syncFolder(folder: string, files: SpoolFiles): Promise<void> {
  const handle = await files.open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
