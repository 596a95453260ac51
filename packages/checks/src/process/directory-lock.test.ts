import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DirectoryInUse, lockDirectory } from './directory-lock.ts'
import { ownIdentity } from './process-identity.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'))
})

afterEach(() => rm(folder, { recursive: true }))

const file = () => join(folder, 'vedette-left-behind.lock')
const leaveBehind = async (holder: object) => writeFile(file(), JSON.stringify({ ...(await ownIdentity()), ...holder }))

test('a directory has one holder; the second is told who it is', async () => {
  const lock = await lockDirectory(folder)
  await expect(lockDirectory(folder)).rejects.toThrow(DirectoryInUse)
  await expect(lockDirectory(folder)).rejects.toThrow(`${folder} is in use by another Vedette (process ${process.pid})`)
  await lock.release()
  const again = await lockDirectory(folder)
  await again.release()
  expect(await readdir(folder)).toEqual([])
})

test('of many that ask at once exactly one gets it, also over the lock of a dead one', async () => {
  await leaveBehind({ started: 'long ago' })
  const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => lockDirectory(folder)))
  const holders = outcomes.filter((outcome) => outcome.status === 'fulfilled')
  expect(holders).toHaveLength(1)
  expect(await readdir(folder)).toHaveLength(1)
  await holders[0]?.value.release()
  expect(await readdir(folder)).toEqual([])
})

test.each([
  ['whose pid now belongs to another process', { started: 'before' }],
  ['whose process is gone', { pid: 4_194_303 + 1 }],
  ['from before the last boot', { boot: 'another boot' }],
])('a holder %s is dead: its lock is taken over', async (_, holder) => {
  await leaveBehind(holder)
  const lock = await lockDirectory(folder)
  expect(await readdir(folder)).not.toContain('vedette-left-behind.lock')
  await lock.release()
})

test('a lock cut off by a power failure is taken over', async () => {
  await writeFile(file(), '{"pid": 12')
  const lock = await lockDirectory(folder)
  await lock.release()
})

test('the silent lock of another container is taken over after a few beats', async () => {
  await leaveBehind({ host: 'other', pids: 'pid:[1]' })
  const lock = await lockDirectory(folder, { beatMs: 20 })
  await lock.release()
})

test('the lock of a living holder in another container is respected', async () => {
  await leaveBehind({ host: 'other', pids: 'pid:[1]', pid: 7 })
  const beating = new Set<Promise<void>>()
  const beat = setInterval(() => beating.add(utimes(file(), new Date(), new Date())), 20)
  try {
    await expect(lockDirectory(folder, { beatMs: 100 })).rejects.toThrow('process 7 on other')
  } finally {
    clearInterval(beat)
    await Promise.all(beating)
  }
})

test('a holder whose directory is gone goes on, and can still be released', async () => {
  const rejections: unknown[] = []
  const note = (reason: unknown) => rejections.push(reason)
  process.on('unhandledRejection', note)
  const own = await mkdtemp(join(folder, 'gone-'))
  const lock = await lockDirectory(own, { beatMs: 1 })
  await rm(own, { recursive: true })
  // Taking this one over lasts many beats of the other.
  await leaveBehind({ host: 'other', pids: 'pid:[1]' })
  const later = await lockDirectory(folder, { beatMs: 20 })
  await later.release()
  await lock.release()
  process.off('unhandledRejection', note)
  expect(rejections).toEqual([])
})

test('a holder shows that it lives', async () => {
  const elsewhere = { ...(await ownIdentity()), host: 'other', pids: 'pid:[1]' }
  const lock = await lockDirectory(folder, { beatMs: 20, identity: elsewhere })
  await expect(lockDirectory(folder, { beatMs: 200 })).rejects.toThrow('on other')
  await lock.release()
})

test('releasing leaves the lock of somebody else alone', async () => {
  const lock = await lockDirectory(folder)
  await leaveBehind({})
  await lock.release()
  expect(await readdir(folder)).toEqual(['vedette-left-behind.lock'])
})
