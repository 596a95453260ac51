import { open, type FileHandle } from 'node:fs/promises'
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

/** The space of the file is reserved while there is some: on a full disk it is overwritten in place. */
export function toldFile(path: string): ToldFile {
  let writing: Promise<void> = Promise.resolve()
  const write = async (text: string) => {
    const file = await openOrCreate(path)
    try {
      const { size } = await file.stat()
      const length = Math.max(size, reservedBytes)
      const bytes = Buffer.from(text)
      const padding = Buffer.alloc(Math.max(0, length - bytes.length), ' ')
      await file.write(Buffer.concat([bytes, padding]), 0, undefined, 0)
      await file.datasync()
    } finally {
      await file.close()
    }
  }
  const save = (told: Told) => {
    const text = told.decisions.length === 0 ? '' : JSON.stringify(told)
    writing = writing.catch(() => undefined).then(() => write(text))
    return writing
  }
  return {
    async load() {
      const text = await read(path)
      if (text === '') await save({ decisions: [], messages: [] })
      return text === '' ? undefined : parse(text)
    },
    save,
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

async function read(path: string): Promise<string> {
  const file = await openOrCreate(path)
  try {
    return (await file.readFile('utf8')).trim()
  } finally {
    await file.close()
  }
}

function parse(text: string): Told | undefined {
  try {
    return JSON.parse(text) as Told
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
