import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { systemClock, type Clock, type LiveEvent } from '@vedette/wire'
import { afterEach, expect, test } from 'vitest'
import { TestClock } from '../../test-support/clock.ts'
import { givenAccount, useDatabase } from '../../test-support/database.ts'
import type { App } from '../http/build-http.ts'
import { givenKey, openTestHttp } from '../../test-support/http.ts'
import { liveHub } from './hub.ts'
import { liveRoutes } from './routes.ts'
import type { StreamLimits } from './stream-limits.ts'

const database = useDatabase()
let app: App | undefined
afterEach(async () => {
  await app?.close()
  app = undefined
})

async function setUp({ limits, clock = systemClock }: { limits?: StreamLimits; clock?: Clock } = {}) {
  const { db } = database
  const hub = liveHub()
  const server = await openTestHttp(db, (http) => liveRoutes(http, { hub, clock, limits }))
  app = server
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const askBy = async (key: string, encoding?: string) => {
    const headers = { authorization: `Bearer ${key}`, ...(encoding !== undefined && { 'accept-encoding': encoding }) }
    const [stream] = (await once(get({ host: '127.0.0.1', port, path: '/v1/live', headers }), 'response')) as [
      IncomingMessage,
    ]
    return stream
  }
  const answer = async (accountId: string, encoding?: string) => askBy(await givenKey(db, accountId, 'read'), encoding)
  const page = async (accountId: string) => (await answer(accountId)).setEncoding('utf8')
  return { db, hub, server, page, answer, askBy }
}

const change = { kind: 'check', checkId: '01a1fdf7-ef7e-842b-817f-5d23a067289e', change: 'updated' } as const

test('a page gets a ping at once and then the events of its account, none of others', async () => {
  const { db, hub, page } = await setUp()
  const [mine, other] = [await givenAccount(db), await givenAccount(db)]
  const stream = await page(mine)
  expect(stream.headers['content-type']).toBe('text/event-stream')
  expect(String((await once(stream, 'data'))[0])).toMatch(/^event: ping\ndata: \{"serverTime":\d+\}\n\n$/)
  const event = once(stream, 'data')
  hub.publish(other, change)
  hub.publish(mine, { ...change, change: 'deleted' })
  expect(String((await event)[0])).toBe(`data: ${JSON.stringify({ ...change, change: 'deleted' })}\n\n`)
  stream.destroy()
})

test('to a page that reads gzip, all that is told goes compressed, and each part of it can be read when it arrives', async () => {
  const { db, hub, answer } = await setUp()
  const mine = await givenAccount(db)
  const stream = await answer(mine, 'gzip, deflate')
  expect(stream.headers['content-encoding']).toBe('gzip')
  let bytes = 0
  stream.on('data', (part: Buffer) => (bytes += part.length))
  const plain = stream.pipe(createGunzip()).setEncoding('utf8')
  expect(String((await once(plain, 'data'))[0])).toContain('event: ping')
  const told = Array.from({ length: 300 }, (_, n) => ({ ...change, checkId: `check ${n}` }))
  for (const event of told) hub.publish(mine, event)
  const all = told.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  let read = ''
  while (read.length < all.length) read += String((await once(plain, 'data'))[0])
  expect(read).toBe(all)
  expect(bytes).toBeLessThan(all.length / 5)
  stream.destroy()
})

const result = (n: number): LiveEvent => {
  const at = new Date(1_790_000_000_000 + n * 333).toISOString()
  return {
    kind: 'result',
    checkId: checkIds[(n * 7919) % checkIds.length] as string,
    resultId: randomUUID(),
    resultType: 'FINAL',
    outcome: 'pass',
    degraded: false,
    location: n % 2 === 0 ? 'eu-west-1' : 'us-east-1',
    responseTime: 80 + ((n * 7919) % 97),
    dueAt: at,
    attempts: 0,
    state: 'passing',
    previousState: 'passing',
    stateSince: '2026-01-02T03:04:05.678Z',
    cause: null,
    failingLocations: [],
    lastPassAt: at,
  }
}
const checkIds = Array.from({ length: 300 }, () => randomUUID())

test('of results that come three at a time, each takes less than 80 bytes', async () => {
  const clock = new TestClock()
  const { db, hub, answer } = await setUp({ clock })
  const mine = await givenAccount(db)
  const stream = await answer(mine, 'gzip')
  let bytes = 0
  stream.on('data', (part: Buffer) => (bytes += part.length))
  const plain = stream.pipe(createGunzip()).setEncoding('utf8')
  await once(plain, 'data')
  let read = ''
  plain.on('data', (text: string) => (read += text))
  for (let n = 0; n < 600; n++) {
    hub.publish(mine, result(n))
    if (n % 3 === 2) await clock.advance(200)
  }
  while (read.split('"kind":"result"').length <= 600) await once(plain, 'data')
  expect(bytes / 600).toBeLessThan(80)
  stream.destroy()
})

test('a page that does not read is let go before it fills the memory of the server', async () => {
  const { db, hub, answer } = await setUp()
  const mine = await givenAccount(db)
  const stream = await answer(mine)
  stream.pause()
  const large = { ...change, checkId: 'x'.repeat(256 * 1024) }
  const until = Date.now() + 20_000
  while (hub.open() > 0 && Date.now() < until) {
    hub.publish(mine, large)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect(hub.open()).toBe(0)
  stream.destroy()
})

test('a page that leaves is forgotten', async () => {
  const { db, hub, page } = await setUp()
  const stream = await page(await givenAccount(db))
  expect(hub.open()).toBe(1)
  stream.destroy()
  while (hub.open() > 0) await new Promise((resolve) => setImmediate(resolve))
  expect(hub.open()).toBe(0)
})

test('a key has fifty streams at most: a closed one makes room at once, and other keys are not concerned', async () => {
  const { db, hub, page, askBy } = await setUp()
  const mine = await givenAccount(db)
  const key = await givenKey(db, mine, 'read')
  const streams = await Promise.all(Array.from({ length: 50 }, () => askBy(key)))
  expect(streams.map(({ statusCode }) => statusCode)).toEqual(Array(50).fill(200))
  const refused = await askBy(key)
  expect(refused).toMatchObject({ statusCode: 503, headers: { 'retry-after': '30' } })
  expect(await json(refused)).toMatchObject({ message: expect.stringMatching(/50 streams.*close one/) })
  expect((await page(mine)).statusCode).toBe(200)
  streams[7]?.destroy()
  while (hub.open() > 50) await new Promise((resolve) => setImmediate(resolve))
  expect((await askBy(key)).statusCode).toBe(200)
  expect((await askBy(key)).statusCode).toBe(503)
})

test('an account has as many streams as it may have, whoever opens them, and other accounts are not concerned', async () => {
  const { db, hub, page } = await setUp({ limits: { perActor: 2, perAccount: 3 } })
  const [mine, other] = [await givenAccount(db), await givenAccount(db)]
  const first = await page(mine)
  for (let more = 0; more < 2; more++) expect((await page(mine)).statusCode).toBe(200)
  const refused = await page(mine)
  expect(refused.statusCode).toBe(503)
  expect(await json(refused)).toMatchObject({ message: expect.stringContaining('The account has 3 streams') })
  expect((await page(other)).statusCode).toBe(200)
  first.destroy()
  while (hub.open() > 3) await new Promise((resolve) => setImmediate(resolve))
  expect((await page(mine)).statusCode).toBe(200)
})

test('a request for the headers alone opens no stream, which nobody would read', async () => {
  const { db, hub, server } = await setUp()
  const headers = { authorization: `Bearer ${await givenKey(db, await givenAccount(db), 'read')}` }
  const { port } = server.server.address() as AddressInfo
  const asked = get({ host: '127.0.0.1', port, path: '/v1/live', method: 'HEAD', headers })
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  expect([answer.statusCode, hub.open()]).toEqual([404, 0])
})

test('a stopping server ends the streams instead of waiting for them', async () => {
  const { db, server, page } = await setUp()
  const stream = await page(await givenAccount(db))
  stream.resume()
  const ended = once(stream, 'end')
  await server.close()
  await ended
  expect(stream.complete).toBe(true)
})
