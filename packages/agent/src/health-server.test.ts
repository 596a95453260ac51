import { afterEach, beforeEach, expect, test } from 'vitest'
import { serveHealth, type HealthServer } from './health-server.ts'

let server: HealthServer
let ready: boolean

beforeEach(async () => {
  ready = true
  server = await serveHealth({ port: 0 }, () => ({ ready, details: { running: 3 } }))
})

afterEach(() => server.close())

const get = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${server.port}${path}`, { method })

test('readiness follows the agent, liveness and health answer whatever its state', async () => {
  expect((await get('/-/readiness')).status).toBe(200)
  ready = false
  expect((await get('/-/readiness')).status).toBe(503)
  expect((await get('/-/liveness')).status).toBe(200)
  const health = await get('/health')
  expect(health.status).toBe(200)
  expect(await health.json()).toEqual({ status: 'not ready', running: 3 })
})

test('nothing else is served', async () => {
  expect((await get('/')).status).toBe(404)
  expect((await get('/health', 'POST')).status).toBe(405)
})
