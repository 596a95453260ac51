import { afterEach, expect, test } from 'vitest'
import { databaseUrlOf, useDatabase } from '../../test-support/database.ts'
import { openRelay, type Relay } from '../../test-support/relay.ts'
import type { Database } from './database.ts'
import { openExternal } from './external.ts'

const database = useDatabase()
const limits = { statementMs: 400, lockMs: 400, answerMs: 600, connectMs: 600, idleInTransactionMs: 500 }
let db: Database | undefined
let relay: Relay | undefined

afterEach(async () => {
  await db?.close()
  await relay?.close()
  db = undefined
  relay = undefined
})

/** A database behind a network that can go silent, with some connections open. */
async function behindRelay() {
  const url = databaseUrlOf(database.db)
  relay = await openRelay(url)
  const opened = await openExternal(relay.through(url), undefined, limits)
  db = opened
  await Promise.all(Array.from({ length: 5 }, () => opened.pool.query('SELECT pg_sleep(0.05)')))
  return { db: opened, relay }
}

const one = (on: Pick<Database['pool'], 'query'>) => on.query('SELECT 1 AS one').then(({ rows }) => rows)

async function elapsed(work: Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work
  return performance.now() - from
}

test('a query on a connection gone silent fails in time, and the next one has a connection that works', async () => {
  const { db, relay } = await behindRelay()
  relay.muteOpen()
  expect(await elapsed(expect(one(db.pool)).rejects.toThrow('timeout'))).toBeLessThan(limits.answerMs + 300)
  // Four more were idle and are silent too: none of them is given to anybody.
  expect(await elapsed(expect(one(db.pool)).resolves.toEqual([{ one: 1 }]))).toBeLessThan(limits.answerMs)
})

test('a transaction on such a connection fails as soon, without waiting for its roll-back too', async () => {
  const { db, relay } = await behindRelay()
  const work = db.transaction(async (client) => {
    await one(client)
    relay.muteOpen()
    await one(client)
  })
  expect(await elapsed(expect(work).rejects.toThrow('timeout'))).toBeLessThan(limits.answerMs + 400)
  await expect(db.transaction(one)).resolves.toEqual([{ one: 1 }])
})

test('more callers than connections all go on after a silence', async () => {
  const { db, relay } = await behindRelay()
  const held = Array.from({ length: 10 }, () => db.pool.query('SELECT pg_sleep(0.2)'))
  await new Promise((resolve) => setTimeout(resolve, 100))
  relay.muteOpen()
  const waiting = Array.from({ length: 10 }, () => one(db.pool))
  await Promise.allSettled([...held, ...waiting])
  await expect(Promise.all(Array.from({ length: 10 }, () => one(db.pool)))).resolves.toHaveLength(10)
})

test('what a silent transaction has locked is free again soon', async () => {
  const { db, relay } = await behindRelay()
  const key = `locked ${crypto.randomUUID()}`
  await db.pool.query('INSERT INTO installation (key, value) VALUES ($1, $2)', [key, '1'])
  const lock = 'UPDATE installation SET value = $2 WHERE key = $1'
  const silent = db.transaction(async (client) => {
    await client.query(lock, [key, '2'])
    relay.muteOpen()
    await one(client)
  })
  await expect(silent).rejects.toThrow('timeout')
  await database.db.pool.query(lock, [key, '3'])
  expect((await database.db.pool.query('SELECT value FROM installation WHERE key = $1', [key])).rows).toEqual([
    { value: 3 },
  ])
})

test('a database that nobody reaches is reached again when the network is back', async () => {
  const { db, relay } = await behindRelay()
  relay.muteAll()
  await expect(one(db.pool)).rejects.toThrow()
  expect(await elapsed(expect(one(db.pool)).rejects.toThrow())).toBeLessThan(limits.connectMs + 300)
  relay.heal()
  await expect(one(db.pool)).resolves.toEqual([{ one: 1 }])
})

test('a statement that takes too long is ended by the server, which says so', async () => {
  const { db } = await behindRelay()
  await expect(db.pool.query('SELECT pg_sleep(2)')).rejects.toMatchObject({ code: '57014' })
  await expect(one(db.pool)).resolves.toEqual([{ one: 1 }])
})

test('a transaction that says so may take longer', async () => {
  const { db } = await behindRelay()
  const sleep = (client: Pick<Database['pool'], 'query'>) => client.query('SELECT pg_sleep(1)')
  await expect(db.transaction(sleep)).rejects.toMatchObject({ code: '57014' })
  await expect(db.transaction(sleep, { limitMs: 10_000 })).resolves.toMatchObject({ rowCount: 1 })
  await expect(db.transaction(sleep)).rejects.toMatchObject({ code: '57014' })
})

test('a commit whose answer was lost is an error, whether or not it was stored', async () => {
  const { db, relay } = await behindRelay()
  const key = `unknown ${crypto.randomUUID()}`
  const work = db.transaction(async (client) => {
    await client.query('INSERT INTO installation (key, value) VALUES ($1, $2)', [key, '1'])
    const query = client.query.bind(client)
    // The statement leaves, its answer does not arrive.
    client.query = ((...args: Parameters<typeof query>) => {
      const answer = query(...args)
      setImmediate(() => relay.muteOpen())
      return answer
    }) as typeof client.query
  })
  await expect(work).rejects.toThrow('timeout')
})
