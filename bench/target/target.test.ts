import { Agent, get } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTarget, type Target } from './target-process.ts'

let target: Target
beforeAll(async () => {
  target = await startTarget()
})
afterAll(() => target.stop())

const ask = (path: string, agent: Agent | false) =>
  new Promise<{ status: number | undefined; connection: string | undefined; text: string }>((resolve, reject) => {
    get({ host: '127.0.0.1', port: target.port, path, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode, connection: response.headers.connection, text }))
    }).on('error', reject)
  })

it('answers with JSON, and closes the connection where it is asked to', async () => {
  const { status, connection, text } = await ask('/check/1', false)
  expect({ status, connection }).toEqual({ status: 200, connection: 'close' })
  expect(JSON.parse(text)).toMatchObject({ status: 'ok' })
})

it('keeps the connection where it is not', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  expect((await ask('/check/2', agent)).connection).toBe('keep-alive')
  expect((await ask('/check/2', agent)).text).toContain('item 19')
  agent.destroy()
})

it('tells what arrived and when, once', async () => {
  await target.arrivals()
  const before = Date.now()
  await ask('/check/3', false)
  const [[path, at] = ['', 0], ...others] = await target.arrivals()
  expect(path).toBe('/check/3')
  expect(at).toBeGreaterThanOrEqual(before)
  expect(at).toBeLessThanOrEqual(Date.now())
  expect(others).toEqual([])
  expect(await target.arrivals()).toEqual([])
})

it('fails as often as it is asked to', async () => {
  target.fail('/check/4', 1)
  expect((await ask('/check/4', false)).status).toBe(500)
  expect((await ask('/check/4', false)).status).toBe(200)
})
