import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StartRefused } from '../start-refused.ts'

const keyBytes = 32

/** The file of the data directory that holds the master key when the environment gives none. */
export const masterKeyFile = (dataDir: string): string => join(dataDir, 'master.key')

function parse(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined
  const key = Buffer.from(text, 'base64')
  return key.length === keyBytes ? key : undefined
}

/** Parses a key: 32 bytes as base64, or 64 hexadecimal digits. `name` is its origin, for messages. */
export function parseMasterKey(text: string, name: string): Buffer {
  const key = parse(text.trim())
  if (key) return key
  throw new StartRefused(
    `${name} is not a master key: expected 32 bytes as base64 (44 characters) or 64 hexadecimal digits, got ${text.trim().length} characters. ` +
      'Make one with "openssl rand -base64 32".',
  )
}

/** Reads a key file; undefined when there is none. */
export async function readKeyFile(file: string): Promise<Buffer | undefined> {
  try {
    return parseMasterKey(await readFile(file, 'utf8'), `The file ${file}`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    if (error instanceof StartRefused) throw error
    throw new StartRefused(`The master key in ${file} cannot be read (${(error as Error).message}). Correct its owner.`)
  }
}

async function writeDraft(draft: string, key: Buffer): Promise<void> {
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${key.toString('base64')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Creates a new key in a 0600 file. When the file exists already, returns its key. */
export async function createKeyFile(file: string): Promise<Buffer> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeDraft(draft, randomBytes(keyBytes))
  try {
    // Linking fails when the file exists and never shows it half-written: the first key stays.
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
  return (await readKeyFile(file)) as Buffer
}

/** The master key: from the environment's value if set, else from the data directory, created at the first start. */
export async function loadMasterKey(source: { env: string | undefined; dataDir: string }): Promise<Buffer> {
  if (source.env !== undefined) return parseMasterKey(source.env, 'VEDETTE_MASTER_KEY')
  const file = masterKeyFile(source.dataDir)
  return (await readKeyFile(file)) ?? createKeyFile(file)
}
