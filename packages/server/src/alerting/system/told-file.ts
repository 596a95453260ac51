import { createHash } from 'node:crypto'
import { open, readFile, type FileHandle } from 'node:fs/promises'
import type { DirectMessage } from './direct-delivery.ts'
import type { Decision } from './system-alert.ts'

/** What was told without the database and is not written down there. */
export interface Told {
  decisions: readonly Decision[]
  messages: readonly DirectMessage[]
}

/** Keeps it over a restart, so that nothing is told twice and every trouble has its end. */
export interface ToldFile {
  /** Undefined when there is nothing, also after a write that was cut short. */
  load(): Promise<Told | undefined>
  save(told: Told): Promise<void>
}

/** Enough for some dozens of messages. */
const reservedBytes = 65_536

/**
 * Two files by turns, so that the one before stands until the next is written whole. Their space is reserved while there
 * is some: on a full disk they are overwritten in place.
 */
export function toldFile(path: string): ToldFile {
  const paths = [path, `${path}.2`]
  let number = 0
  let writing: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = writing.catch(() => undefined).then(work)
    writing = result
    return result
  }
  return {
    load: () =>
      inTurn(async () => {
        const slots = await Promise.all(paths.map(async (one) => parse(await read(one))))
        const [latest] = slots.filter((slot) => slot !== undefined).toSorted((a, b) => b.number - a.number)
        number = latest?.number ?? 0
        return latest === undefined || latest.told.decisions.length === 0 ? undefined : latest.told
      }),
    save: (told) => {
      const content = JSON.stringify(told)
      return inTurn(async () => {
        const next = number + 1
        await write(paths[next % 2] ?? path, `${next} ${sumOf(`${next} ${content}`)} ${content}`)
        number = next
        await reserve(paths[(next + 1) % 2] ?? path)
      })
    },
  }
}

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex')

async function write(path: string, text: string): Promise<void> {
  const file = await openOrCreate(path)
  try {
    const { size } = await file.stat()
    const length = Math.max(size, reservedBytes)
    const bytes = Buffer.from(text)
    const padding = Buffer.alloc(Math.max(0, length - bytes.length), ' ')
    await file.writeFile(Buffer.concat([bytes, padding]))
    await file.datasync()
  } finally {
    await file.close()
  }
}

async function openOrCreate(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r+')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return open(path, 'w+', 0o600)
    throw error
  }
}

/** Space for the next one, as spaces after what the file holds. */
async function reserve(path: string): Promise<void> {
  const file = await openOrCreate(path)
  try {
    const { size } = await file.stat()
    const missing = reservedBytes - size
    if (missing <= 0) return
    await file.write(Buffer.alloc(missing, ' '), 0, missing, size)
    await file.datasync()
  } finally {
    await file.close()
  }
}

/** Empty when there is none. */
async function read(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** Undefined when nothing was written there, or not all of it. */
function parse(text: string): { number: number; told: Told } | undefined {
  const [, number, sum, content = ''] = /^(\d+) (\w+) (.*)$/s.exec(text) ?? []
  if (number === undefined || sum !== sumOf(`${number} ${content}`)) return undefined
  return { number: Number(number), told: JSON.parse(content) as Told }
}
