import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { serverId } from './server-id.ts'

let dataDir: string
const nothing = () => Promise.resolve(undefined)

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'server-id-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

test('a server keeps its id over restarts, and another data directory has another one', async () => {
  const id = await serverId(dataDir, nothing)
  expect(await serverId(dataDir, () => Promise.resolve(randomUUID()))).toBe(id)
  const other = await mkdtemp(join(tmpdir(), 'server-id-'))
  expect(await serverId(other, nothing)).not.toBe(id)
  await rm(other, { recursive: true })
})

test('an id from before there was a file stays', async () => {
  const before = randomUUID()
  expect(await serverId(dataDir, () => Promise.resolve(before))).toBe(before)
  expect(await serverId(dataDir, nothing)).toBe(before)
})

test('a file that a power failure left empty is made again', async () => {
  await writeFile(join(dataDir, 'server-id'), '')
  const id = await serverId(dataDir, nothing)
  expect(await serverId(dataDir, nothing)).toBe(id)
  expect(await readdir(dataDir)).toEqual(['server-id'])
})
