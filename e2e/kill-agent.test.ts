import { agentPaths } from '@vedette/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSpoolDir, removeSpoolDir, startAgent, type SeparateAgent } from './agent.ts'
import { betweenResultReads, newDataDir, removeDataDir, startProduct, until, type Product } from './product.ts'
import { startReceiver } from './receiver.ts'
import { startRecordingProxy, type RecordingProxy } from './recording-proxy.ts'
import { freePort, startTarget, type Health, type WatchedTarget } from './target.ts'

interface Result {
  id: string
  resultType: string
  sequenceId: string
  attempts: number
  hasFailures: boolean
  hasErrors: boolean
}

/** Holds requests back until `open` is called. */
const held = { count: 0, open: () => undefined as void, until: Promise.resolve() }
function close(): void {
  held.count = 0
  held.until = new Promise((resolve) => (held.open = resolve))
}

let port: number
let dataDir: string
let spoolDir: string
let product: Product
let proxy: RecordingProxy
let target: WatchedTarget
let receiver: Awaited<ReturnType<typeof startReceiver>>
let agent: SeparateAgent
let key: string

const startServer = () => startProduct({ dataDir, env: { VEDETTE_PORT: String(port) } })
const startOwnAgent = () => startAgent({ url: proxy.url, key, spoolDir })

async function healthOf(path: string, nth: number): Promise<Health> {
  held.count += 1
  await held.until
  return path === '/stays-down' || (path === '/heals' && nth === 1) ? 'broken' : 'up'
}

beforeAll(async () => {
  target = await startTarget(healthOf)
  receiver = await startReceiver()
  port = await freePort(Math.random)
  ;[dataDir, spoolDir] = await Promise.all([newDataDir(), newSpoolDir()])
  product = await startServer()
  proxy = await startRecordingProxy(product.url)
  await product.api('POST', '/v1/alert-channels', { type: 'WEBHOOK', config: { name: 'R', url: receiver.url } })
  key = (await product.api<{ rawKey: string }>('POST', '/v1/agent-keys', { location: 'eu-west-1' })).body.rawKey
  agent = await startOwnAgent()
})
afterAll(async () => {
  held.open()
  await agent.stop()
  await product.stop()
  await proxy.stop()
  await Promise.all([target.stop(), receiver.stop(), removeDataDir(dataDir), removeSpoolDir(spoolDir)])
})

async function givenCheck(path: string, schedule: object): Promise<string> {
  const made = await product.api<{ id: string }>('POST', '/v1/checks/api', {
    name: path,
    locations: ['eu-west-1'],
    request: { url: `${target.url}${path}` },
    ...schedule,
  })
  expect(made.status).toBe(201)
  return made.body.id
}
const everyDay = { frequency: 1440 }
const everyTenSeconds = { frequency: 0, frequencyOffset: 10 }

const resultsOf = async (checkId: string): Promise<Result[]> =>
  (await product.api<{ entries: Result[] }>('GET', `/v2/check-results/${checkId}?resultType=ALL`)).body.entries
const readResult = async (checkId: string, id: string): Promise<Result | undefined> => {
  const { status, body } = await product.api<Result>('GET', `/v1/check-results/${checkId}/${id}`)
  return status === 200 ? body : undefined
}
const alertsOf = async (checkId: string) =>
  (await product.api<{ alertType: string }[]>('GET', `/v1/alert-notifications?checkId=${checkId}`)).body
const allPass = async (): Promise<boolean> => {
  const { body } = await product.api<{ state: string; hasErrors: boolean }[]>('GET', '/v1/check-statuses')
  return body.every(({ state, hasErrors }) => state === 'passing' && !hasErrors)
}

test('a retry that was due when the server was killed decides after the restart, and pages nobody before', async () => {
  close()
  const [heals, staysDown] = [await givenCheck('/heals', everyDay), await givenCheck('/stays-down', everyDay)]
  await until('both first attempts to be under way', async () => held.count === 2)
  // The retries must still wait in the database at the kill.
  proxy.refuse([agentPaths.lease])
  held.open()
  await until('both failures to be stored', async () => proxy.accepted.size === 2)
  await product.kill()
  expect([target.requests.get('/heals'), target.requests.get('/stays-down')]).toEqual([1, 1])
  expect(receiver.deliveries).toEqual([])

  product = await startServer()
  proxy.refuse([])
  const page = await until('the one page', async () => receiver.deliveries[0], 30_000)
  expect(page.body).toMatchObject({ ALERT_TYPE: 'ALERT_FAILURE', CHECK_ID: staysDown })
  const runOfOther = async () => {
    const results = (await resultsOf(heals)).filter(({ sequenceId }, _, all) => sequenceId === all.at(-1)?.sequenceId)
    return results.length === 2 && results.sort((a, b) => a.attempts - b.attempts)
  }
  const run = await until('the other retry', runOfOther, 60_000, betweenResultReads)
  expect(run).toMatchObject([
    { resultType: 'ATTEMPT', attempts: 0, hasFailures: true },
    { resultType: 'FINAL', attempts: 1, hasFailures: false },
  ])
  expect(await alertsOf(heals)).toEqual([])
  expect(await alertsOf(staysDown)).toMatchObject([{ alertType: 'ALERT_FAILURE' }])
  await product.api('DELETE', `/v1/checks/${staysDown}`)
})

describe('an agent', () => {
  const daily: string[] = []
  const hasty: string[] = []

  beforeAll(async () => {
    for (let nth = 1; nth <= 4; nth++) {
      daily.push(await givenCheck(`/daily/${nth}`, everyDay))
      hasty.push(await givenCheck(`/hasty/${nth}`, everyTenSeconds))
    }
    await until('all to pass', allPass, 30_000, 500)
  })

  /** Asks for a run of each check and waits until the agent and the target have all of them. Returns the runs by check. */
  async function runsInHand(checks: readonly string[]): Promise<Map<string, string>> {
    close()
    const runs = new Map<string, string>()
    for (const id of checks) {
      const { body } = await product.api<{ resultIds: string[] }>('POST', `/v1/checks/${id}/run`)
      runs.set(id, body.resultIds[0] ?? '')
    }
    // The requests of slots count as well, so that their number alone does not say that each of these runs was leased.
    await until('the agent to have them in hand', async () => [...runs.values()].every((id) => proxy.leased.has(id)))
    await until('the target to have them in hand', async () => held.count >= checks.length)
    return runs
  }

  test('that is killed loses no run and pages nobody', async () => {
    const runs = await runsInHand([...daily, ...hasty])
    await agent.kill()
    held.open()
    agent = await startOwnAgent()
    for (const [checkId, id] of runs) {
      const result = await until('the run to end', () => readResult(checkId, id), 60_000, 1000)
      expect(result).toMatchObject({ resultType: 'FINAL', attempts: 0, hasFailures: false })
      // Its next slot is long due, so no other attempt is made: it ends as *not known*.
      expect(result.hasErrors).toBe(hasty.includes(checkId))
    }
    await until('all to pass again', allPass, 30_000, 500)
    for (const checkId of runs.keys()) expect(await alertsOf(checkId)).toEqual([])
  })

  test('that is told to stop finishes what it has in hand and takes nothing more', async () => {
    const runs = await runsInHand(daily)
    const leftWith = agent.stop()
    await until('it to drain', async () => agent.output().includes('stopping'))
    held.open()
    expect(await leftWith).toBe(0)
    for (const [checkId, id] of runs) {
      expect(proxy.accepted).toContain(id)
      expect(await readResult(checkId, id)).toMatchObject({ hasFailures: false, hasErrors: false })
    }
    expect(agent.output()).toContain('"spooled":0')
    const before = proxy.accepted.size
    agent = await startOwnAgent()
    await until('the next one to go on', async () => proxy.accepted.size > before, 30_000)
  })
})
