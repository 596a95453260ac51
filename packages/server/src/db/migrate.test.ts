import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { StartRefused } from '../start-refused.ts'
import { useEmptyDatabase } from '../../test-support/database.ts'

let folder: string
let directory: URL
const database = useEmptyDatabase()
let db: Database

const write = (file: string, sql: string) => writeFile(join(folder, file), sql)

beforeAll(() => {
  db = database.db
})

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  directory = pathToFileURL(`${folder}/`)
  await write('0001_first.sql', 'CREATE TABLE cats (name text); CREATE TABLE dogs (name text);')
})

afterEach(async () => {
  await db.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await rm(folder, { recursive: true })
})

const hasTable = async (name: string) =>
  (await db.pool.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [name])).rows[0]?.there

test('migrations run once, in order, and new ones are added later', async () => {
  await write('0002_second.sql', 'ALTER TABLE cats ADD COLUMN age int')
  expect(await migrate(db, directory)).toEqual(['0001_first', '0002_second'])
  expect(await migrate(db, directory)).toEqual([])
  await write('0003_third.sql', 'ALTER TABLE cats DROP COLUMN age')
  expect(await migrate(db, directory)).toEqual(['0003_third'])
})

test('two migrations of one number are refused: one of them would never be applied', async () => {
  await write('0001_other.sql', 'SELECT 1')
  await expect(migrate(db, directory)).rejects.toThrow('Two migrations have the number of other')
})

test('a migration that fails leaves nothing of itself and keeps the ones before', async () => {
  await write('0002_second.sql', 'CREATE TABLE birds (name text); SELECT nonsense;')
  await expect(migrate(db, directory)).rejects.toThrow('nonsense')
  expect(await hasTable('dogs')).toBe(true)
  expect(await hasTable('birds')).toBe(false)
  await write('0002_second.sql', 'CREATE TABLE birds (name text)')
  expect(await migrate(db, directory)).toEqual(['0002_second'])
})

test('a database that is newer than the program is refused, naming both versions', async () => {
  await write('0002_second.sql', 'SELECT 1')
  await migrate(db, directory)
  await rm(join(folder, '0002_second.sql'))
  const error = await migrate(db, directory).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(StartRefused)
  expect((error as Error).message).toMatch(/migration 2 \(second\) and this program knows 1/)
})

test('a database made by other migrations is refused', async () => {
  await migrate(db, directory)
  await write('0001_first.sql', 'CREATE TABLE cats (name text, age int)')
  await expect(migrate(db, directory)).rejects.toThrow(/Migration 1 \(first\).*differs/)
})

test('line ends of the other kind do not make a migration another one', async () => {
  await write('0001_first.sql', 'CREATE TABLE cats\n(name text)')
  await migrate(db, directory)
  await write('0001_first.sql', 'CREATE TABLE cats\r\n(name text)')
  expect(await migrate(db, directory)).toEqual([])
})

test('two servers that start at once apply each migration once', async () => {
  await write('0002_second.sql', 'CREATE TABLE birds (name text)')
  const applied = await Promise.all([migrate(db, directory), migrate(db, directory)])
  expect(applied.flat().toSorted()).toEqual(['0001_first', '0002_second'])
})

test('the migrations of the program apply to an empty database, and are all recorded', async () => {
  const files = (await readdir(new URL('./migrations/', import.meta.url))).filter((file) => file.endsWith('.sql'))
  expect(await migrate(db)).toEqual(files.toSorted().map((file) => file.replace('.sql', '')))
  expect(await hasTable('check_results')).toBe(true)
})
