import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { toldFile, type Told } from './told-file.ts'

let folder: string
let path: string
const slots = () => [path, `${path}.2`]
const nothing: Told = { decisions: [], messages: [] }
const toldOf = (count: number): Told => ({
  decisions: Array.from({ length: count }, () => ({ opens: [], type: 'ALERT_SYSTEM', alerts: [] })),
  messages: [],
})

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vedette-told-'))
  path = join(folder, 'told.json')
})
afterEach(() => rm(folder, { recursive: true }))

test('what was saved last is loaded, by another process too', async () => {
  const file = toldFile(path)
  expect(await file.load()).toBeUndefined()
  for (const count of [1, 2, 3]) {
    await file.save(toldOf(count))
    expect(await toldFile(path).load()).toEqual(toldOf(count))
  }
  const next = toldFile(path)
  await next.load()
  await next.save(toldOf(4))
  expect(await toldFile(path).load()).toEqual(toldOf(4))
  await next.save(nothing)
  expect(await toldFile(path).load()).toBeUndefined()
})

test('a write that was cut short leaves what was saved before it', async () => {
  const file = toldFile(path)
  await file.save(toldOf(1))
  const before = await Promise.all(slots().map((slot) => readFile(slot, 'utf8')))
  await file.save(toldOf(2))
  const written = slots()[before[0]?.trim() === '' ? 0 : 1] ?? path
  const torn = await open(written, 'r+')
  await torn.write(' '.repeat(60), 100)
  await torn.close()
  expect(await toldFile(path).load()).toEqual(toldOf(1))
})

test('the space of both files is reserved with the first save', async () => {
  await toldFile(path).save(nothing)
  for (const slot of slots()) expect((await stat(slot)).size).toBe(65_536)
})
