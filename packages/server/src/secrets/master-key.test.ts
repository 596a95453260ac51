import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StartRefused } from '../start-refused.ts'
import { loadMasterKey } from './master-key.ts'

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'master-key-'))
})

afterEach(() => rm(dataDir, { recursive: true }))

test('the first start makes a key that only its owner can read; later starts use it', async () => {
  const key = await loadMasterKey({ env: undefined, dataDir })
  expect(key).toHaveLength(32)
  expect((await stat(join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600)
  expect(await loadMasterKey({ env: undefined, dataDir })).toEqual(key)
})

test('starts at the same time agree on one key and leave one file', async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => loadMasterKey({ env: undefined, dataDir })))
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
  expect(await readdir(dataDir)).toEqual(['master.key'])
})

test('the environment wins over the file, as base64 or hexadecimal, and makes no file', async () => {
  const key = randomBytes(32)
  for (const env of [
    key.toString('base64'),
    key.toString('hex'),
    key.toString('base64url'),
    `${key.toString('hex')}\n`,
  ]) {
    expect(await loadMasterKey({ env, dataDir })).toEqual(key)
  }
  expect(await readdir(dataDir)).toEqual([])
})

test.each([
  ['too short', randomBytes(16).toString('base64')],
  ['too long', randomBytes(33).toString('base64')],
  ['a password', 'correct horse battery staple'],
  ['empty', ''],
])('a key that is %s is refused, saying what was expected and nothing of the key', async (_, env) => {
  const error = await loadMasterKey({ env, dataDir }).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(StartRefused)
  expect((error as Error).message).toMatch(/VEDETTE_MASTER_KEY is not a master key: expected 32 bytes as base64/)
  if (env !== '') expect((error as Error).message).not.toContain(env)
})

test('a damaged key file is refused, never replaced', async () => {
  const file = join(dataDir, 'master.key')
  await writeFile(file, 'half a k')
  await chmod(file, 0o600)
  await expect(loadMasterKey({ env: undefined, dataDir })).rejects.toThrow(`The file ${file} is not a master key`)
  expect(await readFile(file, 'utf8')).toBe('half a k')
})
