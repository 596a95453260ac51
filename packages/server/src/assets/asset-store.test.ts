import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { memoryAssets } from '../../test-support/assets.ts'
import { folderAssets, type AssetStore } from './asset-store.ts'

const dueAt = Date.UTC(2041, 4, 20, 12)
const dayMs = 86_400_000
const place = { dueAt, resultId: '01a1fdf7-ef7e-842b-817f-5d23a067289e', name: 'capture.pcap' }
let folder: string

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'assets-')), 'assets')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

const stores: readonly (readonly [string, () => AssetStore])[] = [
  ['a folder', () => folderAssets(folder)],
  ['the memory of tests', memoryAssets],
]

test.each(stores)('%s keeps contents until their day is removed', async (_, open) => {
  const store = open()
  expect(await store.read(place)).toBeUndefined()
  await store.removeBefore(new Date(dueAt))
  await store.put(place, Buffer.from('one'))
  await store.put({ ...place, dueAt: dueAt + dayMs }, Buffer.from('other'))
  await store.put(place, Buffer.from([0, 255, 10]))
  expect(await store.read(place)).toEqual(Buffer.from([0, 255, 10]))
  await store.removeBefore(new Date(dueAt - dayMs))
  expect(await store.read(place)).toBeDefined()
})

test('a folder has one for each day, which only its owner reads, and no unfinished files', async () => {
  const store = folderAssets(folder)
  await store.put(place, Buffer.from('packets'))
  await store.put({ ...place, dueAt: dueAt + dayMs }, Buffer.from('packets'))
  expect(readdirSync(folder)).toEqual(['2041-05-20', '2041-05-21'])
  const ofResult = join(folder, '2041-05-20', place.resultId)
  expect(readdirSync(ofResult)).toEqual(['capture.pcap'])
  expect(statSync(ofResult).mode & 0o077).toBe(0)
  expect(statSync(join(ofResult, 'capture.pcap')).mode & 0o077).toBe(0)
  await store.removeBefore(new Date(dueAt + dayMs))
  expect(readdirSync(folder)).toEqual(['2041-05-21'])
})

test('a file that cannot be stored leaves nothing behind, however often that is tried', async () => {
  const store = folderAssets(folder)
  const ofResult = join(folder, '2041-05-20', place.resultId)
  mkdirSync(join(ofResult, place.name), { recursive: true })
  for (let times = 0; times < 3; times++) await expect(store.put(place, Buffer.from('packets'))).rejects.toThrow()
  expect(readdirSync(ofResult)).toEqual([place.name])
})

test.each(['../secret', '..', '', 'a/b', 'A', '.hidden'])('the name %j is none of an asset', async (name) => {
  const store = folderAssets(folder)
  await expect(store.put({ ...place, name }, Buffer.from(''))).rejects.toThrow('cannot be called')
  await expect(store.read({ ...place, name })).rejects.toThrow('cannot be called')
})
