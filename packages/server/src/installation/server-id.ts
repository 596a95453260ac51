import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const fileName = 'server-id'
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The id of the server that a data directory belongs to, the same over restarts; made at the first start. Several
 * servers on one database have directories of their own, and so different ids, wherever those are. `adopt` may know an
 * id from before there was a file.
 */
export async function serverId(dataDir: string, adopt: () => Promise<string | undefined>): Promise<string> {
  const file = join(dataDir, fileName)
  const known = await readId(file)
  if (known !== undefined) return known
  const id = (await adopt()) ?? randomUUID()
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, `${id}\n`, { mode: 0o600, flush: true })
  await rename(draft, file)
  return id
}

/** Undefined also for a file that a power failure left empty. */
async function readId(file: string): Promise<string | undefined> {
  try {
    const text = (await readFile(file, 'utf8')).trim()
    return uuid.test(text) ? text : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
