import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { processOptions, startable } from '@vedette/checks/runnable'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from './db/migrate.ts'
import { databaseSource, openDatabase } from './db/open-database.ts'
import { givenAccount, seedDataDir } from '../test-support/database.ts'
import { verifyMasterKey } from './secrets/check-master-key.ts'
import { loadMasterKey } from './secrets/master-key.ts'
import { openVault } from './secrets/vault.ts'
import { certificatePlace, openCertificateKey, readClientCertificates } from './settings/client-certificate-store.ts'

let folder: string
let account: string

const place = () => ({ account, table: 'variables', row: 'TOKEN', field: 'value' })
const certificate = randomUUID()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rekey-'))
  const dataDir = join(folder, 'made')
  const source = databaseSource({ dataDir, databaseUrl: undefined })
  await seedDataDir(join(dataDir, 'db'))
  const db = await openDatabase(source)
  const vault = openVault({ current: await loadMasterKey({ env: undefined, dataDir }) })
  await migrate(db)
  await verifyMasterKey(db, vault)
  account = await givenAccount(db)
  await db.pool.query(
    'INSERT INTO variables (account_id, key, value, locked, secret, version, created_at) VALUES ($1, $2, $3, true, true, 1, now())',
    [account, 'TOKEN', vault.seal('hunter2', place())],
  )
  await db.pool.query(
    `INSERT INTO client_certificates (id, account_id, host, cert, key, subject, expires_at, created_at)
     VALUES ($1, $2, '*', '', $3, '', now(), now())`,
    [certificate, account, vault.seal('key of the certificate', certificatePlace(account, certificate))],
  )
  await db.close()
}, 60_000)

afterAll(() => rm(folder, { recursive: true }))

async function copyOfDataDir(): Promise<string> {
  const dataDir = join(folder, randomUUID())
  await cp(join(folder, 'made'), dataDir, { recursive: true })
  return dataDir
}

async function rekey(
  dataDir: string,
  env: Record<string, string>,
): Promise<{ code: number; out: string; err: string }> {
  const script = startable(new URL('./rekey.ts', import.meta.url))
  const child = spawn(process.execPath, [...processOptions(script), fileURLToPath(script)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], VEDETTE_DATA_DIR: dataDir, ...env },
  })
  const ended = once(child, 'exit') as Promise<[number]>
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await ended
  return { code, out, err }
}

/** The value of the variable, after the key of the certificate was read too. */
async function readVariable(dataDir: string, env?: string): Promise<string> {
  const vault = openVault({ current: await loadMasterKey({ env, dataDir }) })
  const db = await openDatabase(databaseSource({ dataDir, databaseUrl: undefined }))
  try {
    await verifyMasterKey(db, vault)
    const [row] = await readClientCertificates(db.pool, account)
    expect(openCertificateKey(vault, account, row!)).toBe('key of the certificate')
    const { rows } = await db.pool.query<{ value: string }>('SELECT value FROM variables')
    return vault.open(rows[0]?.value ?? '', place())
  } finally {
    await db.close()
  }
}

test('with key files it makes a new 0600 file, keeps the old one, and the server starts with the new', async () => {
  const dataDir = await copyOfDataDir()
  const before = await loadMasterKey({ env: undefined, dataDir })
  expect(await rekey(dataDir, {})).toMatchObject({ code: 0, out: expect.stringContaining('variables 1') as string })
  expect(await loadMasterKey({ env: undefined, dataDir })).not.toEqual(before)
  expect((await stat(join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600)
  expect(await readVariable(dataDir)).toBe('hunter2')
  const files = await readdir(dataDir)
  expect(files.filter((file) => file.startsWith('master.key')).toSorted()).toEqual([
    'master.key',
    `master.key.${openVault({ current: before }).keyId}.old`,
  ])
}, 60_000)

test('with keys in the environment it goes from the old to the new, and refuses a wrong old one', async () => {
  const dataDir = await copyOfDataDir()
  const old = (await loadMasterKey({ env: undefined, dataDir })).toString('base64')
  const next = randomBytes(32).toString('base64')
  const wrong = randomBytes(32).toString('hex')
  const refused = await rekey(dataDir, { VEDETTE_MASTER_KEY: next, VEDETTE_OLD_MASTER_KEY: wrong })
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^The old master key is not the one.*\n$/) as string,
  })
  expect(await rekey(dataDir, { VEDETTE_MASTER_KEY: next, VEDETTE_OLD_MASTER_KEY: old })).toMatchObject({ code: 0 })
  expect(await readVariable(dataDir, next)).toBe('hunter2')
}, 60_000)

test('a directory without a database is refused and left as it is', async () => {
  const dataDir = join(folder, 'nothing')
  expect(await rekey(dataDir, {})).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^There is no database in/) as string,
  })
  await expect(readdir(dataDir)).rejects.toThrow('ENOENT')
}, 60_000)
