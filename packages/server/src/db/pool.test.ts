import { expect, test } from 'vitest'
import { useDatabase } from '../../test-support/database.ts'

const database = useDatabase()

const names = async (prefix: string): Promise<string[]> => {
  const { rows } = await database.db.pool.query<{ key: string }>('SELECT key FROM installation WHERE key LIKE $1', [
    `${prefix}%`,
  ])
  return rows.map(({ key }) => key)
}

const insert = 'INSERT INTO installation (key, value) VALUES ($1, $2)'

test('bigints and counts arrive as numbers, times as dates, jsonb as objects', async () => {
  const { rows } = await database.db.pool.query(
    `SELECT 9007199254740991::int8 AS big, count(*) AS n, '2026-01-02T03:04:05.678Z'::timestamptz AS at, '{"a":[1]}'::jsonb AS doc`,
  )
  expect(rows).toEqual([
    { big: 9_007_199_254_740_991, n: 1, at: new Date('2026-01-02T03:04:05.678Z'), doc: { a: [1] } },
  ])
})

test('a bigint beyond what a number holds is an error, never a rounded number', async () => {
  await expect(database.db.pool.query('SELECT 9007199254740993::int8')).rejects.toThrow('9007199254740993')
  expect((await database.db.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
})

test('a transaction that throws leaves nothing, and its error arrives', async () => {
  const work = database.db.transaction(async (client) => {
    await client.query(insert, ['thrown-1', '1'])
    throw new Error('changed my mind')
  })
  await expect(work).rejects.toThrow('changed my mind')
  expect(await names('thrown-')).toEqual([])
})

test('a transaction whose failed statement was ignored is an error, not a silent roll-back', async () => {
  const work = database.db.transaction(async (client) => {
    await client.query(insert, ['ignored-1', '1'])
    await client.query('SELECT nonsense').catch(() => undefined)
  })
  await expect(work).rejects.toThrow('rolled back')
  expect(await names('ignored-')).toEqual([])
})

test('others wait for a transaction and see it whole', async () => {
  let go = () => {}
  const gate = new Promise<void>((resolve) => {
    go = resolve
  })
  const work = database.db.transaction(async (client) => {
    await client.query(insert, ['gate-1', '1'])
    await gate
    await client.query(insert, ['gate-2', '2'])
  })
  const others = Array.from({ length: 5 }, () => names('gate-'))
  go()
  await work
  for (const seen of await Promise.all(others)) expect([0, 2]).toContain(seen.length)
  expect(await names('gate-')).toHaveLength(2)
})

test('many transactions at once all get their turn', async () => {
  const work = Array.from({ length: 30 }, (_, i) =>
    database.db.transaction((client) => client.query(insert, [`turn-${i}`, String(i)])),
  )
  await Promise.all(work)
  expect(await names('turn-')).toHaveLength(30)
})

test('a connection that was given back broken does not leak its state to the next user', async () => {
  const client = await database.db.pool.connect()
  await client.query('BEGIN')
  await client.query({ name: 'leak', text: 'SELECT 1 AS first' })
  await client.query(insert, ['leaked', '1'])
  client.release(true)
  expect(await names('leaked')).toEqual([])
  const again = await database.db.pool.query({ name: 'leak', text: 'SELECT 2 AS second' })
  expect(again.rows).toEqual([{ second: 2 }])
})

test('an answer of many megabytes arrives whole', async () => {
  const { rows } = await database.db.pool.query<{ text: string }>("SELECT repeat('vedette ', 1000000) AS text")
  expect(rows[0]?.text).toHaveLength(8_000_000)
  const { rows: echoed } = await database.db.pool.query<{ text: string }>('SELECT $1::text AS text', [rows[0]?.text])
  expect(echoed[0]?.text).toBe(rows[0]?.text)
})
