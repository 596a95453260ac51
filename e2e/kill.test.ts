import { join } from 'node:path'
import { expect, test } from 'vitest'
import { handedOutAheadMs } from '@vedette/wire'
import { openDatabase } from '../packages/server/src/db/open-database.ts'
import { wrongAlerts } from '../packages/server/test-support/simulator/alert-oracle.ts'
import { readHistory, type History } from '../packages/server/test-support/simulator/history.ts'
import { brokenInvariants } from '../packages/server/test-support/simulator/invariants.ts'
import { seededRandom } from '../packages/server/test-support/simulator/random.ts'
import type { SimCheck } from '../packages/server/test-support/simulator/sim-checks.ts'
import {
  comesAndGoes,
  createChecks,
  everyStatus,
  healthAt,
  inboxOf,
  type Kind,
  type NamedCheck,
  type Status,
} from './chaos.ts'
import { newSpoolDir, removeSpoolDir, startAgent } from './agent.ts'
import { newDataDir, removeDataDir, startProduct, until, type Product } from './product.ts'
import { startReceiver, type Delivery } from './receiver.ts'
import { startRecordingProxy } from './recording-proxy.ts'
import { freePort, startTarget } from './target.ts'

const kills = 10
const twoLocations = ['eu-west-1', 'us-east-1'] as const

const kinds: Kind[] = [
  { name: 'steady', count: 20, body: {}, health: () => 'up' },
  { name: 'flapping', count: 14, body: {}, health: comesAndGoes('broken') },
  { name: 'hasty', count: 14, body: { doubleCheck: false }, health: comesAndGoes('silent') },
  { name: 'parallel', count: 8, body: { runParallel: true, doubleCheck: false }, health: comesAndGoes('broken') },
]

interface LedgerRow {
  id: string
  status: string
}

test('ten kills under load lose no result and no alert, and each downtime is one gap', async () => {
  const seed = Number(process.env['VEDETTE_SEED'] ?? Date.now() % 1_000_000_000)
  console.log(`seed ${seed} (VEDETTE_SEED repeats it)`)
  const random = seededRandom(seed)
  const beganAt = Date.now()
  let healed = false
  const target = await startTarget((path) => (healed ? 'up' : healthAt(kinds, path, (Date.now() - beganAt) / 1000)))
  // Slow to answer, so that some kills come after a message arrived and before the sender knows it.
  const receiver = await startReceiver({ delayMs: 300 })
  const port = await freePort(() => random.next())
  const dataDir = await newDataDir()
  const start = () => startProduct({ dataDir, env: { VEDETTE_PORT: String(port) } })
  let product = await start()
  const proxy = await startRecordingProxy(product.url)
  const spoolDirs = [await newSpoolDir(), await newSpoolDir()]
  await product.api('POST', '/v1/alert-channels', {
    type: 'WEBHOOK',
    config: { name: 'Receiver', url: receiver.url },
  })
  const agents = await Promise.all(
    twoLocations.map(async (location, at) =>
      startAgent({ url: proxy.url, key: await mintKey(product, location), spoolDir: spoolDirs[at] ?? '' }),
    ),
  )
  const checks = await createChecks(kinds, target.url, ({ body }, nth) => ({
    product,
    locations: body['runParallel'] === true || nth % 2 === 0 ? twoLocations : [twoLocations[1]],
  }))
  const startedAt = Date.now()

  const requested: string[] = []
  const downtimes: { from: number; to: number }[] = []
  for (let kill = 1; kill <= kills; kill++) {
    await pause(random.between(1000, 6000))
    const wanted = checks[random.between(0, checks.length - 1)]
    const run = await product.api<{ resultIds: string[] }>('POST', `/v1/checks/${wanted?.id}/run`)
    requested.push(...run.body.resultIds)
    await product.kill()
    // Read once it has died: until then it may still write that it is running.
    const from = Date.now()
    product = await start()
    downtimes.push({ from, to: Date.now() })
  }
  healed = true
  const lastStart = downtimes.at(-1)?.to ?? 0
  const isBack = ({ state, lastCheckRunId }: Status) => state === 'passing' && Number(lastCheckRunId) > lastStart
  await until('every check to run on and pass', () => everyStatus(product, isBack), 60_000, 1000)
  await until('every alert to be told', () => everyAlertTold(product), 90_000, 1000)
  for (const agent of agents) expect(await agent.stop()).toBe(0)
  const endedAt = Date.now()
  const readable = await readableResults(product, checks)
  expect(await product.stop()).toBe(0)
  const { history, gaps } = await leftBehind(dataDir)

  const chronicle = {
    checks,
    acknowledged: proxy.accepted,
    rejected: proxy.rejected,
    requested,
    inbox: inboxOf(receiver.deliveries, history),
    endings: new Map(checks.map(({ id }) => [id, 'up' as const])),
    kills,
    startedAt,
    endedAt,
    // A check is due every 10 s and answers at once.
    unfinishedMs: 15_000,
    errors: [],
    events: [],
  }
  console.log(summaryOf(history, proxy.accepted, receiver.deliveries))
  const awayMs = downtimes.reduce((sum, { from, to }) => sum + to - from, 0)
  // A machine that stalls for seconds causes gaps too.
  const others = gaps.filter((gap) => downtimes.every((downtime) => gapsOf(downtime, [gap]).length === 0))
  console.log(`down ${awayMs / kills} ms on average; gaps besides: ${JSON.stringify(others)}`)
  expect([...proxy.accepted].filter((id) => !readable.has(id))).toEqual([])
  expect(brokenInvariants(chronicle, history)).toEqual([])
  expect(wrongAlerts(chronicle, history)).toEqual([])
  expect(history.results.filter(({ outcome }) => outcome === 'unknown')).toEqual([])
  expect(history.alerts.length).toBeGreaterThan(20)
  expect(alertsOf(history, checks, 'steady')).toEqual([])
  for (const downtime of downtimes) {
    const [gap, ...more] = gapsOf(downtime, gaps)
    expect(more).toEqual([])
    expect(gap?.to).toBeLessThanOrEqual(downtime.to)
  }
  const inOrder = gaps.toSorted((a, b) => a.from - b.from)
  expect(inOrder.filter(({ from }, at) => from <= (inOrder[at - 1]?.to ?? 0))).toEqual([])

  await proxy.stop()
  await target.stop()
  await receiver.stop()
  await Promise.all([removeDataDir(dataDir), ...spoolDirs.map(removeSpoolDir)])
})

async function mintKey(product: Product, location: string): Promise<string> {
  const key = await product.api<{ rawKey: string }>('POST', '/v1/agent-keys', { location })
  expect(key.status).toBe(201)
  return key.body.rawKey
}

async function everyAlertTold(product: Product): Promise<boolean> {
  for (let page = 1; ; page++) {
    const { body } = await product.api<LedgerRow[]>('GET', `/v1/alert-notifications?limit=100&page=${page}`)
    if (body.some(({ status }) => status === 'IN_PROGRESS')) return false
    if (body.length < 100) return true
  }
}

/** Every API key may list results only a few times, so that one is made for every few checks. */
async function readableResults(product: Product, checks: readonly SimCheck[]): Promise<Set<string>> {
  const ids = new Set<string>()
  let key: string | undefined
  for (const [at, { id }] of checks.entries()) {
    if (at % 5 === 0) key = await readingKey(product, at)
    const { body } = await product.api<{ entries: { id: string }[]; nextId: string | null }>(
      'GET',
      `/v2/check-results/${id}?limit=100&resultType=ALL&fields=id`,
      undefined,
      key,
    )
    expect(body.nextId).toBeNull()
    for (const entry of body.entries) ids.add(entry.id)
  }
  return ids
}

async function readingKey(product: Product, nth: number): Promise<string> {
  const { body } = await product.api<{ rawKey: string }>('POST', '/v1/api-keys', {
    name: `Reader ${nth}`,
    role: 'read',
  })
  return body.rawKey
}

interface Gap {
  from: number
  to: number
  reason: string
}

async function leftBehind(dataDir: string): Promise<{ history: History; gaps: Gap[] }> {
  const db = await openDatabase({ dataDir: join(dataDir, 'db') })
  try {
    const { rows } = await db.pool.query<{ from_at: Date; to_at: Date; reason: string }>(
      `SELECT from_at, to_at, reason FROM coverage_gaps`,
    )
    const gaps = rows.map(({ from_at, to_at, reason }) => ({ from: from_at.getTime(), to: to_at.getTime(), reason }))
    return { history: await readHistory(db), gaps }
  } finally {
    await db.close()
  }
}

type Downtime = Pick<Gap, 'from' | 'to'>

/** Gaps of the death of a killed server. Agents start the runs that it had handed out ahead, so a gap begins after those. */
const gapsOf = ({ from }: Downtime, gaps: readonly Gap[]): Gap[] =>
  gaps.filter((gap) => gap.from <= from + handedOutAheadMs && from < gap.to)

function alertsOf({ alerts }: History, checks: readonly NamedCheck[], kind: string) {
  const ids = new Set(checks.filter((check) => check.kind === kind).map(({ id }) => id))
  return alerts.filter(({ checkId }) => ids.has(checkId))
}

function summaryOf(history: History, accepted: ReadonlySet<string>, deliveries: readonly Delivery[]): string {
  const names = new Set(deliveries.map(({ headers }) => headers['webhook-id']))
  return [
    `${history.results.length} results, ${accepted.size} acknowledged to agents`,
    `${history.alerts.length} alerts, ${deliveries.length} deliveries under ${names.size} names`,
    `${history.gaps.length} gaps`,
  ].join('; ')
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
