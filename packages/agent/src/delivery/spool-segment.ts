import { crc32 } from 'node:zlib'

/** A report waiting on disk. */
export interface SpooledReport {
  attemptId: string
  report: string
}

export interface Segment {
  file: string
  bytes: number
  /** What is still to be delivered, oldest first. */
  pending: Set<string>
  /** Something in it cannot be read: the file is set aside instead of deleted, so that a person can look at it. */
  damaged: boolean
  /** Its routine results were left out, because the spool was full. */
  thinned?: boolean
}

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0')

/** One line per report, each with its checksum, so that a torn or damaged line loses only its own report. */
export const recordLine = ({ attemptId, report }: SpooledReport): string => {
  const content = `${attemptId} ${report}`
  return `${checksum(content)} ${content}\n`
}

export function readLine(line: string): SpooledReport | undefined {
  const content = line.slice(9)
  if (line.slice(0, 8) !== checksum(content)) return undefined
  const space = content.indexOf(' ')
  return space < 0 ? undefined : { attemptId: content.slice(0, space), report: content.slice(space + 1) }
}

/** The readable records of a segment, and how many are not. */
export function readRecords(raw: Buffer): { records: SpooledReport[]; damaged: number } {
  const lines = raw
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
  const records = lines.map(readLine).filter((record) => record !== undefined)
  return { records, damaged: lines.length - records.length }
}
