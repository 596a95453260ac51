import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Where the content of an asset is: the due time of its result in epoch milliseconds, the result, and its own name. */
export interface AssetPlace {
  dueAt: number
  resultId: string
  name: string
}

/** Keeps contents of assets, which may be large; the database holds what they are. */
export interface AssetStore {
  /** Stores it whole or not at all; what was there before is replaced. */
  put(place: AssetPlace, content: Buffer): Promise<void>
  /** Undefined when it is not there. */
  read(place: AssetPlace): Promise<Buffer | undefined>
  /** Removes the assets of results that were due before that time, by whole days. */
  removeBefore(time: Date): Promise<void>
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const safeName = /^[a-z0-9][a-z0-9.-]{0,100}$/

/** A store in a folder: a folder for each day of due times, with one for each result. */
export function folderAssets(folder: string): AssetStore {
  const fileOf = ({ dueAt, resultId, name }: AssetPlace): string => {
    if (!safeName.test(resultId) || !safeName.test(name))
      throw new Error(`an asset cannot be called ${resultId}/${name}`)
    return join(folder, dayOf(dueAt), resultId, name)
  }
  return {
    async put(place, content) {
      const file = fileOf(place)
      await mkdir(join(file, '..'), { recursive: true, mode: 0o700 })
      const unfinished = `${file}.${randomUUID()}`
      try {
        await writeFile(unfinished, content, { mode: 0o600, flush: true })
        await rename(unfinished, file)
      } catch (error) {
        // On a full disk what was written would take more of it with every try.
        await rm(unfinished, { force: true })
        throw error
      }
    },
    async read(place) {
      try {
        return await readFile(fileOf(place))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        return undefined
      }
    },
    async removeBefore(time) {
      const first = dayOf(time.getTime())
      const days = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
        return []
      })
      for (const day of days)
        if (/^\d{4}-\d\d-\d\d$/.test(day) && day < first) await rm(join(folder, day), { recursive: true, force: true })
    },
  }
}
