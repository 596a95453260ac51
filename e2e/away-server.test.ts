import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSpoolDir, removeSpoolDir, startAgent, type SeparateAgent } from './agent.ts'
import { betweenResultReads, newDataDir, removeDataDir, startProduct, until, type Product } from './product.ts'
import { startReceiver } from './receiver.ts'
import { freePort, startTarget, type WatchedTarget } from './target.ts'

interface Result {
  dueAt: string
  resultType: string
  hasFailures: boolean
  hasErrors: boolean
  late: boolean
}
interface AgentHealth {
  planned: number
  runsPlan: boolean
  spooled: number
}

const periodMs = 10_000

let port: number
let healthPort: number
let dataDir: string
let spoolDir: string
let product: Product
let target: WatchedTarget
let receiver: Awaited<ReturnType<typeof startReceiver>>
let agent: SeparateAgent
let steady: string
let shaky: string
let isShaken = false

const startServer = () => startProduct({ dataDir, env: { VEDETTE_PORT: String(port) } })

beforeAll(async () => {
  target = await startTarget(async (path) => (path === '/shaky' && isShaken ? 'broken' : 'up'))
  receiver = await startReceiver()
  ;[port, healthPort] = [await freePort(Math.random), await freePort(Math.random)]
  ;[dataDir, spoolDir] = await Promise.all([newDataDir(), newSpoolDir()])
  product = await startServer()
  await product.create('/v1/alert-channels', { type: 'WEBHOOK', config: { name: 'R', url: receiver.url } })
  const location = await product.create('/v1/private-locations', { name: 'Office', slugName: 'office' })
  const made = await product.api<{ rawKey: string }>('POST', `/v1/private-locations/${location}/keys`)
  agent = await startAgent({
    url: product.url,
    key: made.body.rawKey,
    spoolDir,
    env: { AGENT_HEALTH_PORT: String(healthPort) },
  })
  ;[steady, shaky] = [await givenCheck('/steady'), await givenCheck('/shaky')]
  await until('both checks to be planned', async () => (await agentHealth()).planned === 2)
})
afterAll(async () => {
  await agent.stop()
  await product.stop()
  await Promise.all([target.stop(), receiver.stop(), removeDataDir(dataDir), removeSpoolDir(spoolDir)])
})

const givenCheck = (path: string): Promise<string> =>
  product.create('/v1/checks/api', {
    name: path,
    frequency: 0,
    frequencyOffset: 10,
    locations: [],
    privateLocations: ['office'],
    request: { url: `${target.url}${path}` },
  })

const agentHealth = async (): Promise<AgentHealth> =>
  (await (await fetch(`http://127.0.0.1:${healthPort}/health`)).json()) as AgentHealth
const readiness = async (): Promise<number> => (await fetch(`http://127.0.0.1:${healthPort}/-/readiness`)).status

/** Waits for so many runs at the target while no server answers. */
async function runsAlone(count: number): Promise<void> {
  const before = target.requests.get('/steady') ?? 0
  await until('the agent to keep the schedule', async () => (await agentHealth()).runsPlan, 60_000)
  expect(await readiness()).toBe(503)
  const arrived = async () => (target.requests.get('/steady') ?? 0) >= before + count
  await until(`${count} runs without a server`, arrived, (count + 3) * periodMs, 500)
}

/** Due times of the results from a moment on, oldest first. */
async function duesSince(checkId: string, from: number): Promise<number[]> {
  const path = `/v2/check-results/${checkId}?limit=100&resultType=FINAL&from=${Math.floor(from / 1000) - 60}`
  const { entries } = (await product.api<{ entries: Result[] }>('GET', path)).body
  const known = entries.filter(({ hasErrors }) => !hasErrors)
  return known.map(({ dueAt }) => Date.parse(dueAt)).filter((due) => due >= from && due % 1000 !== 1)
}

/** The results of all slots are there, each once, and the history has no gap. */
async function expectWhole(checkId: string, from: number): Promise<void> {
  const until_ = Date.now() - 2 * periodMs
  const first = (await duesSince(checkId, from)).toSorted((a, b) => a - b)[0] ?? until_
  expect(first - from).toBeLessThan(2 * periodMs)
  const slots = Array.from({ length: Math.floor((until_ - first) / periodMs) + 1 }, (_, nth) => first + nth * periodMs)
  let missing: number[] = slots
  const isWhole = async () => {
    const dues = await duesSince(checkId, from)
    missing = slots.filter((slot) => !dues.includes(slot)).map((slot) => slot - from)
    return missing.length === 0
  }
  await until('every slot to have its result', isWhole, 30_000, betweenResultReads).catch(() => undefined)
  expect(missing).toEqual([])
  const { body } = await product.api<{ spans: { kind: string }[] }>(
    'GET',
    `/v1/checks/${checkId}/history?from=${Math.floor(from / 1000)}&to=${Math.floor(until_ / 1000)}`,
  )
  expect(body.spans.filter(({ kind }) => kind === 'not-watched')).toEqual([])
}

const alertTypes = async (checkId: string) =>
  (await product.api<{ alertType: string }[]>('GET', `/v1/alert-notifications?checkId=${checkId}`)).body.map(
    ({ alertType }) => alertType,
  )

test('an agent whose server was killed keeps the schedule, and history has no gap', async () => {
  const from = Date.now()
  await product.kill()
  isShaken = true
  await runsAlone(4)
  isShaken = false
  await runsAlone(4)
  product = await startServer()
  await until('what was spooled to be delivered', async () => (await agentHealth()).spooled === 0, 60_000)
  await until('the agent to be ready again', async () => (await readiness()) === 200)
  await expectWhole(steady, from)
  await expectWhole(shaky, from)
  expect(await alertTypes(steady)).toEqual([])
})

test('an agent whose server is mute, with all sockets open, does the same', async () => {
  const from = Date.now()
  product.process.kill('SIGSTOP')
  try {
    await runsAlone(3)
  } finally {
    product.process.kill('SIGCONT')
  }
  await until('the agent to be ready again', async () => (await readiness()) === 200, 60_000)
  await until('what was spooled to be delivered', async () => (await agentHealth()).spooled === 0, 60_000)
  await expectWhole(steady, from)
  expect(await alertTypes(steady)).toEqual([])
})
