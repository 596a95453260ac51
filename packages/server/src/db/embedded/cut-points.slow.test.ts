import { randomInt } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedDataDir } from '../../../test-support/database.ts'
import { openDirectory, type Engine } from './engine.ts'
import { simpleQuery } from './messages.ts'
import type { DiskOperation } from '../../../test-support/cut-points/disk-operation.ts'
import { RecordingNodeFs } from '../../../test-support/cut-points/recording-node-fs.ts'
import { SimulatedDisk, type Survival } from '../../../test-support/cut-points/simulated-disk.ts'
import { seededRandom } from '../../../test-support/simulator/random.ts'

/** Each run cuts at other points. */
const cuts = Number(process.env['CUTS'] ?? 80)
const rows = 400

// Node's types lack `WebAssembly.compile`.
const compiler = (globalThis as unknown as { WebAssembly: { compile(code: Uint8Array): Promise<WebAssembly.Module> } })
  .WebAssembly

let folder: string
let disk: SimulatedDisk
let operations: DiskOperation[]
let wasm: WebAssembly.Module

async function run(engine: Engine, sql: string): Promise<void> {
  const answer = Buffer.from(await engine.execute(simpleQuery(sql)))
  if (answer.includes('SERROR')) throw new Error(answer.toString('latin1'))
}

/** Other work of a database while rows arrive: checkpoints, new tables and indexes, vacuum, a new log file. */
const interludes = [
  'CHECKPOINT',
  'CREATE TABLE later_N (n int PRIMARY KEY, body text); INSERT INTO later_N SELECT n, body FROM written',
  'VACUUM (ANALYZE) written',
  'SELECT pg_switch_wal()',
  "UPDATE written SET body = body || '.' WHERE n % 3 = 0",
  'CHECKPOINT',
  'DROP TABLE IF EXISTS later_N; TRUNCATE scratch',
  'INSERT INTO scratch SELECT n, repeat(md5(n::text), 40) FROM generate_series(1, 500) n',
]

async function record(directory: string): Promise<void> {
  const files = new RecordingNodeFs(directory)
  disk = new SimulatedDisk(directory, files.files)
  operations = files.operations
  const engine = await openDirectory(directory, { files })
  await run(engine, 'CREATE TABLE written (n int PRIMARY KEY, body text); CREATE TABLE scratch (n int, body text)')
  for (let n = 0; n < rows; n += 1) {
    await run(engine, `INSERT INTO written VALUES (${n}, repeat(md5('${n}'), 60))`)
    operations.push({ kind: 'acknowledge', row: n })
    const interlude = interludes[Math.floor(n / 10) % interludes.length] ?? ''
    if (n % 10 === 9) await run(engine, interlude.replaceAll('_N', `_${Math.floor(n / 40)}`))
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cut-points-'))
  await seedDataDir(folder)
  const binary = new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite'))
  wasm = await compiler.compile(new Uint8Array(readFileSync(fileURLToPath(binary))))
  await record(join(folder, 'database'))
})

afterAll(() => rmSync(folder, { recursive: true }))

interface Found {
  rows: number
  wrong: number
  indexed: number
}

async function readAfterCut(survival: Survival): Promise<Found> {
  const directory = mkdtempSync(join(folder, 'cut-'))
  disk.writeTo(directory, survival)
  const pg = await PGlite.create({ fs: new NodeFS(directory), pgliteWasmModule: wasm })
  try {
    const { rows: tables } = await pg.query("SELECT to_regclass('written') AS written")
    if (!(tables[0] as { written: string | null }).written) return { rows: 0, wrong: 0, indexed: 0 }
    const { rows: counts } = await pg.query(`SELECT count(*)::int AS rows,
      count(*) FILTER (WHERE rtrim(body, '.') <> repeat(md5(n::text), 60))::int AS wrong FROM written`)
    await pg.exec('SET enable_seqscan = off')
    const { rows: indexed } = await pg.query('SELECT count(*)::int AS indexed FROM written WHERE n >= 0')
    return { ...(counts[0] as Omit<Found, 'indexed'>), ...(indexed[0] as Pick<Found, 'indexed'>) }
  } finally {
    await pg.close()
    rmSync(directory, { recursive: true })
  }
}

test(`after a power cut at any of ${cuts} points every acknowledged row is there`, async () => {
  const seed = Number(process.env['CUT_SEED'] ?? randomInt(2 ** 31))
  console.log(`cut points: ${operations.length} operations, CUT_SEED=${seed}`)
  const random = seededRandom(seed)
  const at = Array.from({ length: cuts }, () => random.between(0, operations.length - 1)).toSorted((a, b) => a - b)
  const chances = [0, 0, 0.5, 1]
  let next = 0
  let acknowledged = 0
  for (const [number, cut] of at.entries()) {
    for (; next < cut; next += 1) {
      const operation = operations[next] as DiskOperation
      if (operation.kind === 'acknowledge') acknowledged += 1
      disk.apply(operation)
    }
    // Mostly no unsynced change survives; sometimes half of them, in any combination, sometimes all.
    const chance = chances[number % chances.length] ?? 0
    const survival: Survival = {
      data: () => random.chance(chance),
      names: (pending) => (chance === 1 ? pending : Math.floor(random.next() * (pending + 1) * chance * 2)),
    }
    const found = await readAfterCut(survival)
    const where = `cut ${number} before operation ${cut}, ${acknowledged} rows acknowledged, seed ${seed}`
    expect(found.rows, where).toBeGreaterThanOrEqual(acknowledged)
    expect(found.rows, where).toBeLessThanOrEqual(acknowledged + 1)
    expect(found, where).toMatchObject({ wrong: 0, indexed: found.rows })
  }
})
