import { join } from 'node:path'
import type { Log } from '../log.ts'
import type { SpoolFiles } from './spool-files.ts'

const segmentName = /^(\d+)\.spool(\.unreadable)?$/
const asideSuffix = '.unreadable'
/** Unreadable segments that are kept for a person to look at. */
const mostAside = 16

export interface SpoolFolder {
  /** The segment files, oldest first, and the next number that no file has. */
  list(): Promise<{ segments: string[]; nextNumber: number }>
  fileOf(number: number): string
  /** Deletes a file, at the next opportunity when it cannot be deleted now. Never rejects. */
  remove(file: string): Promise<void>
  /** Renames an unreadable file, so that it is not read again. Never rejects. */
  setAside(file: string): Promise<void>
}

/** The files of a spool, by their names. */
export function spoolFolder(folder: string, files: SpoolFiles, log: Log): SpoolFolder {
  const leftBehind = new Set<string>()

  const parsed = async () =>
    (await files.readdir(folder))
      .map((name) => ({ name, number: Number(segmentName.exec(name)?.[1] ?? Number.NaN) }))
      .filter(({ number }) => Number.isSafeInteger(number))
      .toSorted((one, other) => one.number - other.number)

  const forgetOldestAside = async (): Promise<void> => {
    const aside = (await parsed()).filter(({ name }) => name.endsWith(asideSuffix))
    for (const { name } of aside.slice(0, -mostAside)) await files.rm(join(folder, name))
  }

  return {
    async list() {
      const known = await parsed()
      const segments = known.filter(({ name }) => !name.endsWith(asideSuffix)).map(({ name }) => join(folder, name))
      return { segments, nextNumber: (known.at(-1)?.number ?? 0) + 1 }
    },

    fileOf: (number) => join(folder, `${String(number).padStart(12, '0')}.spool`),

    async remove(file) {
      leftBehind.add(file)
      for (const left of leftBehind) {
        try {
          await files.rm(left)
          leftBehind.delete(left)
        } catch (error) {
          log.warn({ error, file: left }, 'a segment of the spool cannot be deleted yet')
        }
      }
    },

    async setAside(file) {
      try {
        await files.rename(file, `${file}${asideSuffix}`)
        await forgetOldestAside()
      } catch (error) {
        log.warn({ error, file }, 'an unreadable segment of the spool cannot be set aside: it stays where it is')
      }
    },
  }
}
