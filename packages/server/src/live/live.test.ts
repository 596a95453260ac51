import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '@vedette/wire'
import { afterEach, expect, test } from 'vitest'
import { givenAccount, useDatabase } from '../../test-support/database.ts'
import type { App } from '../http/build-http.ts'
import { givenKey, openTestHttp } from '../../test-support/http.ts'
import { liveHub } from './hub.ts'
import { liveRoutes } from './routes.ts'

const database = useDatabase()
let app: App | undefined
afterEach(async () => {
  await app?.close()
  app = undefined
})

async function setUp() {
  const { db } = database
  const hub = liveHub()
  const server = await openTestHttp(db, (http) => liveRoutes(http, { hub, clock: systemClock }))
  app = server
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const page = async (accountId: string) => {
    const key = await givenKey(db, accountId, 'read')
    const call = get({ host: '127.0.0.1', port, path: '/v1/live', headers: { authorization: `Bearer ${key}` } })
    const [stream] = (await once(call, 'response')) as [IncomingMessage]
    stream.setEncoding('utf8')
    return stream
  }
  return { db, hub, server, page }
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

test('a page that leaves is forgotten', async () => {
  const { db, hub, page } = await setUp()
  const stream = await page(await givenAccount(db))
  expect(hub.open()).toBe(1)
  stream.destroy()
  while (hub.open() > 0) await new Promise((resolve) => setImmediate(resolve))
  expect(hub.open()).toBe(0)
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
