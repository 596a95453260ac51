import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../open-database.ts'
import { seedDataDir } from '../../../test-support/database.ts'
import { mountSmallDisk } from '../../../test-support/small-disk.ts'
import { initialiseDirectory } from './initialise-directory.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-'))
})

afterAll(() => rm(folder, { recursive: true }))

async function writtenRows(dataDir: string): Promise<number[]> {
  const db = await openDatabase({ dataDir })
  try {
    const { rows } = await db.pool.query<{ n: number }>('SELECT n FROM written ORDER BY n')
    return rows.map(({ n }) => n)
  } finally {
    await db.close()
  }
}

test('what was committed is there after closing and opening again, with fsync on', async () => {
  const dataDir = join(folder, 'reopened')
  await seedDataDir(dataDir)
  const first = await openDatabase({ dataDir })
  await first.pool.query('CREATE TABLE written AS SELECT 7 AS n')
  expect((await first.pool.query('SHOW fsync')).rows).toEqual([{ fsync: 'on' }])
  expect((await first.pool.query('SHOW wal_sync_method')).rows).toEqual([{ wal_sync_method: 'fsync' }])
  await expect(openDatabase({ dataDir })).rejects.toThrow(
    `The data directory ${dataDir} is in use by another Vedette (process ${process.pid}). Stop that one first`,
  )
  await first.close()
  expect(await readdir(dataDir)).toEqual(['database'])
  expect(await writtenRows(dataDir)).toEqual([7])
}, 60_000)

test('the death of the engine fails every query at once, is announced, and leaves nothing hanging', async () => {
  const dataDir = join(folder, 'dying')
  await seedDataDir(dataDir)
  const logged: string[] = []
  const db = await openDatabase({ dataDir }, { error: (_, message) => logged.push(message) })
  await db.pool.query('CREATE TABLE dying (n int)')
  await rm(join(dataDir, 'database', 'pg_wal'), { recursive: true })
  const writes = db.transaction(async (client) => {
    await client.query('INSERT INTO dying VALUES (1)')
    await client.query('SELECT pg_switch_wal()')
    await client.query('INSERT INTO dying VALUES (2)')
  })
  const behind = db.pool.query('SELECT 1')
  await expect(writes).rejects.toThrow(/The embedded database has stopped: could not .*pg_wal/)
  await expect(behind).rejects.toThrow('The embedded database has stopped')
  expect((await db.failed).message).toMatch('The embedded database has stopped')
  await expect(db.pool.query('SELECT 1')).rejects.toThrow('The embedded database has stopped')
  await db.close()
  expect(await readdir(dataDir)).toEqual(['database'])
}, 60_000)

test('a directory that holds no database is refused in one sentence, and its lock is given back', async () => {
  const dataDir = join(folder, 'garbage')
  await mkdir(join(dataDir, 'database'), { recursive: true })
  await writeFile(join(dataDir, 'database', 'PG_VERSION'), '18\n')
  await expect(openDatabase({ dataDir })).rejects.toThrow(
    /The embedded database in .*garbage\/database cannot be opened/,
  )
  expect(await readdir(dataDir)).toEqual(['database'])
}, 60_000)

test('a data directory that cannot be made is refused', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  await chmod(file, 0o600)
  await expect(openDatabase({ dataDir: join(file, 'data') })).rejects.toThrow(/cannot be used.*VEDETTE_DATA_DIR/)
})

test('a disk that fills up while the database is made is named as the reason', async () => {
  const disk = await mountSmallDisk('30m')
  if (disk === undefined) return
  await expect(initialiseDirectory(join(disk.path, 'database'))).rejects.toThrow('no space left on the disk')
  await disk.remove()
}, 60_000)
