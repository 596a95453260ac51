import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mountSmallDisk } from '../test-support/small-disk.ts'
import { inDataDir, makeDataDir } from './data-dir.ts'
import { openEmbedded } from './db/embedded/open-embedded.ts'
import { StartRefused } from './start-refused.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'data-dir-'))
})

afterEach(() => rm(folder, { recursive: true }))

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (refused: unknown) => refused,
  )
  expect(error).toBeInstanceOf(StartRefused)
  return (error as Error).message
}

test('a missing folder is made', async () => {
  await makeDataDir(join(folder, 'a', 'b'))
  await makeDataDir(join(folder, 'a', 'b'))
})

test.each([
  ['a file', 'file', 'file is no folder, or a file is above it (EEXIST). Set VEDETTE_DATA_DIR to a folder.'],
  ['below a file', 'file/below', 'below is no folder, or a file is above it (ENOTDIR).'],
  ['a link to nowhere', 'dangling', 'cannot be made (ENOENT). Set VEDETTE_DATA_DIR to another folder.'],
])('one that is %s is refused with what is wrong and what to do', async (_, path, told) => {
  await writeFile(join(folder, 'file'), '')
  await symlink(join(folder, 'nowhere', 'at all'), join(folder, 'dangling'))
  const message = await refusal(makeDataDir(join(folder, path)))
  expect(message).toContain(`The data directory ${join(folder, path)} cannot be used: `)
  expect(message).toContain(told)
})

test('where the disk is full, the lock cannot be written: that is told, and not how', async () => {
  const disk = await mountSmallDisk('1m')
  if (disk === undefined) return
  await disk.fill()
  const dataDir = join(disk.path, 'data')
  expect(await refusal(openEmbedded(dataDir))).toBe(
    `The data directory ${dataDir} cannot be used: its disk is full (ENOSPC). Make room there, or set VEDETTE_DATA_DIR to another folder.`,
  )
  await disk.remove()
})

test('a first start on a disk that is too small for it is refused before it begins', async () => {
  const disk = await mountSmallDisk('30m')
  if (disk === undefined) return
  const dataDir = join(disk.path, 'data')
  expect(await refusal(openEmbedded(dataDir))).toMatch(/(29|30) MB are free on its disk, and a first start needs 64 MB/)
  await disk.remove()
})

test('a part of it that another user owns is named, with whose it must be', async () => {
  const part = join(folder, 'server-id')
  const fault = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', syscall: 'open', path: part })
  const message = await refusal(inDataDir(folder, () => Promise.reject(fault)))
  expect(message).toContain(`may not use ${part} (EACCES). Give the folder and all it holds to that user`)
})

test('an error of anything else stays what it is', async () => {
  const elsewhere = Object.assign(new Error('x'), { code: 'EACCES', path: '/etc/shadow' })
  await expect(inDataDir(folder, () => Promise.reject(elsewhere))).rejects.toBe(elsewhere)
  const socket = Object.assign(new Error('x'), { code: 'EACCES', syscall: 'connect' })
  await expect(inDataDir(folder, () => Promise.reject(socket))).rejects.toBe(socket)
})

test('a folder that this user may not read is refused', async () => {
  const closed = join(folder, 'closed')
  await mkdir(closed)
  await chmod(closed, 0o300)
  // The superuser may read everything: nobody tries it, in a process that changes its user once its code is loaded.
  if (process.getuid?.() !== 0) return expect(await refusal(makeDataDir(closed))).toContain('may not use')
  await chmod(folder, 0o777)
  const program = `import { makeDataDir } from ${JSON.stringify(new URL('data-dir.ts', import.meta.url).href)}
    process.setgroups([])
    process.setgid(65_534)
    process.setuid(65_534)
    await makeDataDir(${JSON.stringify(closed)})`
  const given = [
    '--conditions=vedette-source',
    '--import',
    import.meta.resolve('tsx'),
    '--input-type=module',
    '-e',
    program,
  ]
  await expect(promisify(execFile)(process.execPath, given, { cwd: folder })).rejects.toThrow('may not use')
})
