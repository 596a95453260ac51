import { dueAtOfId } from '@vedette/wire/ids'
import { readRecords, recordLine, type Segment, type SpooledReport } from './spool-segment.ts'
import type { SpoolFiles } from './spool-files.ts'

/** Ends the name of a file that is written to replace a segment. What a sudden end leaves of it is overwritten or ignored. */
const newSuffix = '.thin'

/**
 * Leaves the routine results of a segment out: passes, of which nobody has to be told. The pass that ends a run whose
 * first attempts failed is none. Returns how many, after which the
 * segment holds only the others. Rejects, with the segment as it was, when the disk does not take the shorter file.
 */
export async function thinSegment(segment: Segment, files: SpoolFiles): Promise<number> {
  const { records } = readRecords(await files.readFile(segment.file))
  const waiting = records.filter(({ attemptId }) => segment.pending.has(attemptId))
  const kept = waiting.filter((record) => !isRoutine(record))
  if (kept.length < waiting.length) {
    const lines = kept.map(recordLine).join('')
    await replaceFile(segment.file, lines, files)
    segment.bytes = Buffer.byteLength(lines)
    segment.pending = new Set(kept.map(({ attemptId }) => attemptId))
  }
  segment.thinned = true
  return waiting.length - kept.length
}

async function replaceFile(file: string, text: string, files: SpoolFiles): Promise<void> {
  const handle = await files.open(`${file}${newSuffix}`, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.datasync()
  } finally {
    await handle.close()
  }
  await files.rename(`${file}${newSuffix}`, file)
}

function isRoutine({ report }: SpooledReport): boolean {
  const { verdict, retried } = JSON.parse(report) as {
    verdict?: { outcome?: unknown; degraded?: unknown }
    retried?: boolean
  }
  return verdict?.outcome === 'pass' && verdict.degraded === false && retried === undefined
}

/** When the newest result of a segment was due, epoch milliseconds; undefined when that is not known. */
export const newestDue = ({ pending }: Pick<Segment, 'pending'>): number | undefined =>
  [...pending].reduce<number | undefined>((newest, attemptId) => {
    const due = dueAtOfId(attemptId)
    return due === undefined || (newest !== undefined && newest >= due) ? newest : due
  }, undefined)
