import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeDirectory } from './make-directory.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'directory-'))
})

afterEach(() => rm(folder, { recursive: true }))

test('it is made with those above it, for its owner alone', async () => {
  await makeDirectory(join(folder, 'a', 'b', 'c'))
  for (const made of ['a', 'a/b', 'a/b/c']) expect((await stat(join(folder, made))).mode & 0o777).toBe(0o700)
})

test('one that is there stays as it is, also behind a link', async () => {
  await mkdir(join(folder, 'there'), { mode: 0o755 })
  await symlink(join(folder, 'there'), join(folder, 'link'))
  await makeDirectory(join(folder, 'there'))
  await makeDirectory(join(folder, 'link'))
  expect((await stat(join(folder, 'there'))).mode & 0o777).toBe(0o755)
})

test.each([
  ['a file has its name', 'file', 'EEXIST'],
  ['a file is above it', 'file/below', 'ENOTDIR'],
  ['a link leads nowhere', 'dangling', 'ENOENT'],
  ['a link above it leads nowhere', 'dangling/below', 'ENOENT'],
])('where %s it cannot be made', async (_, path, code) => {
  await writeFile(join(folder, 'file'), '')
  await symlink(join(folder, 'nowhere', 'at all'), join(folder, 'dangling'))
  await expect(makeDirectory(join(folder, path))).rejects.toMatchObject({ code })
})

test.runIf(process.platform === 'linux')('where nobody can make one, it fails at once', async () => {
  await expect(makeDirectory('/proc/vedette')).rejects.toMatchObject({ code: 'ENOENT' })
})
