import { systemClock, type Clock } from '@vedette/wire'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeServer, type Refusal } from '../../test-support/fake-server.ts'
import { helloOf } from './announce.ts'
import { Connection } from './connection.ts'
import { ProtocolClient } from './protocol-client.ts'
import { ProtocolProblem } from './protocol-problem.ts'

const agentId = 'b3b0f1a8-6a5c-4a53-9a52-0d6c7e3f8a10'
const shortestLimitMs = 5000

let server: FakeServer
let waits: number[]
let said: string[]
let closing: (() => Promise<void> | void)[]

beforeEach(async () => {
  server = new FakeServer()
  waits = []
  said = []
  closing = []
  await server.start()
})

afterEach(async () => {
  for (const close of closing) await close()
  await server.stop()
})

/** Notes the waits between calls and skips them. Time limits of calls, which are longer, are kept. */
const impatient: Clock = {
  ...systemClock,
  after(delayMs, call) {
    if (delayMs >= shortestLimitMs) return systemClock.after(delayMs, call)
    waits.push(delayMs)
    return systemClock.after(0, call)
  },
}

function givenConnection(deniedRetryMs?: number): Connection {
  const log = pino({ level: 'info' }, { write: (line) => void said.push(line) })
  const client = new ProtocolClient({ url: server.url, key: 'vdl_test', clock: impatient })
  const hello = () =>
    helloOf(agentId, { checkTypes: [], capabilities: [], capacity: {} }, { inFlight: [], spooled: [] })
  const connection = new Connection({ client, hello, clock: impatient, random: () => 1, log, deniedRetryMs })
  closing = [() => connection.stop(), () => client.close()]
  return connection
}

const never = new AbortController().signal

test.each<[string, Refusal | 'drop']>([
  ['is not leading', { status: 503, headers: { 'retry-after': '1' } }],
  ['names five minutes', { status: 503, headers: { 'retry-after': '300' } }],
  ['names no time', { status: 503 }],
  ['is behind a proxy that does not reach it', { status: 502 }],
  ['cuts connections', 'drop'],
])('a server that %s is asked again within three seconds, however often', async (_, trouble) => {
  let asked = 0
  server.trouble = () => {
    asked += 1
    return trouble
  }
  givenConnection().start()
  await server.until(() => asked > 12)
  expect(waits.length).toBeGreaterThanOrEqual(12)
  expect(Math.max(...waits)).toBeLessThanOrEqual(2500)
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(100)
  // It is said once.
  expect(said).toHaveLength(1)
})

test('a server that greets and refuses every call is no reason to wait ever longer, or to say so every time', async () => {
  const connection = givenConnection()
  connection.start()
  for (let time = 0; time < 10; time++) {
    const session = await connection.ready(never)
    if (session === undefined) throw new Error('stopped')
    connection.lost(session, new ProtocolProblem('busy', '503 Another server hands out runs', { retryAfterMs: 1000 }))
    while (connection.session !== undefined) await new Promise((resolve) => setImmediate(resolve))
  }
  expect(Math.max(...waits)).toBeLessThanOrEqual(2500)
  expect(said).toHaveLength(2)
})

test('a refused key is tried again soon at first, because a server may learn it a moment later, then ever more slowly', async () => {
  server.key = 'another'
  let asked = 0
  server.trouble = () => {
    asked += 1
    return undefined
  }
  givenConnection(4000).start()
  await server.until(() => asked > 2)
  expect(waits.slice(0, 2)).toEqual([1250, 2500])
})

test('a key that is refused after a long absence is tried again soon as well', async () => {
  let asked = 0
  server.trouble = () => {
    asked += 1
    return asked <= 10 ? 'drop' : { status: 401 }
  }
  givenConnection().start()
  await server.until(() => asked > 11)
  expect(waits.at(10)).toBe(1250)
})

test('a call of an earlier session that fails late does not end the present one', async () => {
  const connection = givenConnection()
  connection.start()
  const first = await connection.ready(never)
  if (first === undefined) throw new Error('stopped')
  connection.lost(first, new ProtocolProblem('away', 'no answer'))
  while (connection.session === first) await new Promise((resolve) => setImmediate(resolve))
  const second = await connection.ready(never)
  expect(first.ended.aborted && first.silent.aborted).toBe(true)
  connection.lost(first, new ProtocolProblem('away', 'no answer'))
  await new Promise((resolve) => setImmediate(resolve))
  expect(connection.session).toBe(second)
  expect(second?.ended.aborted).toBe(false)
})
