import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../open-database.ts'

let folder: string
const children: ChildProcess[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-'))
  const dataDir = join(folder, 'fresh')
  // What a first start leaves that was killed while making the database.
  await mkdir(join(dataDir, 'database.new'), { recursive: true })
  await writeFile(join(dataDir, 'database.new', 'PG_VERSION'), '18')
  const db = await openDatabase({ dataDir })
  await db.close()
})

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

/** A data directory with an empty database, without the seconds that making one takes. */
async function dataDirNamed(name: string): Promise<string> {
  const dataDir = join(folder, name)
  await cp(join(folder, 'fresh'), dataDir, { recursive: true })
  return dataDir
}

interface Writer {
  acknowledged: number[]
  reach(count: number): Promise<void>
  kill(): Promise<void>
}

function startWriter(dataDir: string): Writer {
  const script = fileURLToPath(new URL('./writer.fixture.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const acknowledged: number[] = []
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => acknowledged.push(Number(line)))
  return {
    acknowledged,
    async reach(count) {
      while (acknowledged.length < count) await once(lines, 'line')
    },
    async kill() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      if (!child.stdout.readableEnded) await once(lines, 'close')
    },
  }
}

async function writtenRows(dataDir: string): Promise<number[]> {
  const db = await openDatabase({ dataDir })
  try {
    const { rows } = await db.pool.query<{ n: number }>('SELECT n FROM written ORDER BY n')
    return rows.map(({ n }) => n)
  } finally {
    await db.close()
  }
}

test('rows that were acknowledged survive kill -9, and only the death of the holder frees its directory', async () => {
  const dataDir = await dataDirNamed('killed')
  const writer = startWriter(dataDir)
  await writer.reach(50)
  await expect(openDatabase({ dataDir })).rejects.toThrow(/in use by another Vedette \(process \d+\)/)
  await writer.kill()
  const rows = new Set(await writtenRows(dataDir))
  expect(writer.acknowledged.filter((n) => !rows.has(n))).toEqual([])
}, 60_000)

test('what was committed is there after closing and opening again, with fsync on', async () => {
  const dataDir = await dataDirNamed('reopened')
  const first = await openDatabase({ dataDir })
  await first.pool.query('CREATE TABLE written AS SELECT 7 AS n')
  expect((await first.pool.query('SHOW fsync')).rows).toEqual([{ fsync: 'on' }])
  expect((await first.pool.query('SHOW wal_sync_method')).rows).toEqual([{ wal_sync_method: 'fsync' }])
  await first.close()
  expect(await readdir(dataDir)).toEqual(['database'])
  expect(await writtenRows(dataDir)).toEqual([7])
}, 60_000)

test('a first start that was killed while making the database is begun again', async () => {
  expect(await readdir(join(folder, 'fresh'))).toEqual(['database'])
  const dataDir = await dataDirNamed('begun-again')
  const db = await openDatabase({ dataDir })
  expect((await db.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  await db.close()
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
  await expect(openDatabase({ dataDir: join(file, 'data') })).rejects.toThrow(/cannot be made.*VEDETTE_DATA_DIR/)
})
