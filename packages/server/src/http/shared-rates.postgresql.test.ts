import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { TestClock } from '../../test-support/clock.ts'
import { databaseUrlOf, givenAccount, openTestDatabase } from '../../test-support/database.ts'
import { givenKey, openTestHttp } from '../../test-support/http.ts'
import type { Database } from '../db/database.ts'
import { openExternal } from '../db/external.ts'
import type { App } from './build-http.ts'
import { rateLimited } from './rate-limit.ts'

let shared: Database
const open: (() => Promise<void>)[] = []
let key: string

beforeAll(async () => {
  shared = await openTestDatabase()
})
afterAll(() => shared.close())
beforeEach(async () => {
  key = await givenKey(shared, await givenAccount(shared), 'read')
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()))
})

/** A server with connections and a clock of its own, that admits six requests a minute, and two in ten seconds of one route. */
async function givenServer() {
  const db = await openExternal(databaseUrlOf(shared))
  const statements: string[] = []
  let pending: Promise<unknown>[] = []
  const query = db.pool.query.bind(db.pool) as (text: string, values?: unknown[]) => Promise<unknown>
  let refuses = false
  db.pool.query = ((text: string, values?: unknown[]) => {
    if (!text.includes('rate_windows')) return query(text, values)
    statements.push(text)
    const answer = refuses ? Promise.reject(new Error('The database is silent.')) : query(text, values)
    pending.push(answer.catch(() => undefined))
    return answer
  }) as typeof db.pool.query
  const settle = async () => {
    for (let waiting = pending; waiting.length > 0; waiting = pending) {
      pending = []
      await Promise.all(waiting)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const clock = new TestClock(Date.now(), settle)
  const routes = (http: App) => {
    http.get('/all', { config: { access: 'read' } }, async () => ({}))
    http.get('/own', { config: { access: 'read', ...rateLimited(2, 10) } }, async () => ({}))
  }
  const app = await openTestHttp(db, routes, { db, clock, rateLimit: { max: 6, windowSeconds: 60 } })
  open.push(async () => {
    await app.close()
    await db.close()
  })
  const get = (url: string) => app.inject({ url, headers: { authorization: `Bearer ${key}` } })
  return {
    clock,
    statements,
    refuse: (yes: boolean) => void (refuses = yes),
    get,
    async codes(times: number, url = '/all') {
      const codes = []
      for (let i = 0; i < times; i++) codes.push((await get(url)).statusCode)
      return codes
    },
    share: () => clock.advance(250),
  }
}

const passed = (times: number) => Array.from({ length: times }, () => 200)

it('what one server admitted counts at the other one', async () => {
  const [one, two] = [await givenServer(), await givenServer()]
  expect(await one.codes(4)).toEqual(passed(4))
  await one.share()
  expect(await two.codes(1)).toEqual([200])
  await two.share()
  expect((await two.get('/all')).headers['ratelimit-remaining']).toBe('0')
  const refused = await two.get('/all')
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  await two.share()
  expect(await one.codes(1)).toEqual([200])
  await one.share()
  expect(await one.codes(1)).toEqual([429])
})

it('a limit of a route is shared too, apart from the general one', async () => {
  const [one, two] = [await givenServer(), await givenServer()]
  expect(await one.codes(2, '/own')).toEqual(passed(2))
  await one.share()
  expect(await two.codes(1, '/own')).toEqual([200])
  await two.share()
  expect(await two.codes(1, '/own')).toEqual([429])
  expect(await two.codes(6)).toEqual(passed(6))
})

it('beyond the limit goes at most what another server admits within a quarter of a second', async () => {
  const [one, two] = [await givenServer(), await givenServer()]
  expect([...(await one.codes(7)), ...(await two.codes(7))]).toEqual([...passed(6), 429, ...passed(6), 429])
  await one.share()
  await two.share()
  expect(await two.codes(1)).toEqual([429])
})

it('no request costs a statement of its own, and refused ones cost none', async () => {
  const one = await givenServer()
  await one.codes(5)
  expect(one.statements).toEqual([])
  await one.share()
  expect(one.statements).toHaveLength(1)
  await one.codes(40)
  await one.share()
  await one.codes(40)
  await one.share()
  expect(one.statements).toHaveLength(2)
})

it('a window that has ended at the database begins anew', async () => {
  const [one, two] = [await givenServer(), await givenServer()]
  await one.codes(6)
  await one.share()
  await shared.pool.query(`UPDATE rate_windows SET ends_at = now() - interval '1 s'`)
  expect(await two.codes(1)).toEqual([200])
  await two.share()
  expect((await two.get('/all')).headers['ratelimit-remaining']).toBe('4')
})

it('a window from before the clock of the database was set back locks nobody out', async () => {
  const one = await givenServer()
  await one.codes(1)
  await one.share()
  await shared.pool.query(`UPDATE rate_windows SET requests = 100, ends_at = now() + interval '1 hour'`)
  await one.codes(1)
  await one.share()
  expect(await one.codes(1)).toEqual([200])
})

it('a database that does not answer lets each server count alone, and counts later what it missed', async () => {
  const [one, two] = [await givenServer(), await givenServer()]
  one.refuse(true)
  expect(await one.codes(7)).toEqual([...passed(6), 429])
  await one.share()
  expect(await one.codes(1)).toEqual([429])
  one.refuse(false)
  await one.share()
  expect(await two.codes(1)).toEqual([200])
  await two.share()
  expect(await two.codes(1)).toEqual([429])
})

it('windows that ended long ago are deleted', async () => {
  const one = await givenServer()
  const old = randomUUID()
  await shared.pool.query(`INSERT INTO rate_windows VALUES ($1, 1, now() - interval '2 minutes')`, [old])
  await one.clock.advance(60_000)
  await one.codes(1)
  await one.share()
  expect((await shared.pool.query('SELECT 1 FROM rate_windows WHERE key = $1', [old])).rows).toEqual([])
})
