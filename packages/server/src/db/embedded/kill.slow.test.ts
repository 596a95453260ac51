import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { processOptions } from '@vedette/checks/runnable'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../open-database.ts'

let folder: string
const children: ChildProcess[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-'))
  const dataDir = join(folder, 'fresh')
  // The state that a kill leaves during a first start, while the database is made.
  await mkdir(join(dataDir, 'database.new'), { recursive: true })
  await writeFile(join(dataDir, 'database.new', 'PG_VERSION'), '18')
  const db = await openDatabase({ dataDir })
  await db.close()
})

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

/** A data directory with an empty database; copying one saves the seconds of initialising. */
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
  const script = new URL('../../../test-support/writer.ts', import.meta.url)
  const child = spawn(process.execPath, [...processOptions(script), fileURLToPath(script), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
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
  for (const count of [30, 200, 75]) {
    const writer = startWriter(dataDir)
    await writer.reach(count)
    await expect(openDatabase({ dataDir })).rejects.toThrow(/in use by another Vedette \(process \d+\)/)
    await writer.kill()
    const rows = new Set(await writtenRows(dataDir))
    expect(writer.acknowledged.filter((n) => !rows.has(n))).toEqual([])
  }
}, 60_000)

test('a first start that was killed while making the database is begun again', async () => {
  expect(await readdir(join(folder, 'fresh'))).toEqual(['database'])
  const dataDir = await dataDirNamed('begun-again')
  const db = await openDatabase({ dataDir })
  expect((await db.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  await db.close()
}, 60_000)
