import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Database } from '../packages/server/src/db/database.ts'
import { openDatabase } from '../packages/server/src/db/open-database.ts'
import { wrongAlerts } from '../packages/server/test-support/simulator/alert-oracle.ts'
import { readHistory, type History } from '../packages/server/test-support/simulator/history.ts'
import { brokenInvariants } from '../packages/server/test-support/simulator/invariants.ts'
import { seededRandom } from '../packages/server/test-support/simulator/random.ts'
import { findPostgres } from '../scripts/find-postgres.mjs'
import { startPostgres } from '../scripts/postgres.mjs'
import { comesAndGoes, createChecks, everyStatus, healthAt, inboxOf, type Kind } from './chaos.ts'
import { newDataDir, removeDataDir, startProduct, until, type Product } from './product.ts'
import { startReceiver, type Delivery } from './receiver.ts'
import { freePort, startTarget } from './target.ts'

const chaosMs = Number(process.env['VEDETTE_CHAOS_SECONDS'] ?? 120) * 1000
const locations = ['eu-west-1', 'us-east-1']
/** How long a suspended leader stands still: longer than its lease. */
const pauseMs = 6000

const kinds: Kind[] = [
  { name: 'steady', count: 12, body: {}, health: () => 'up' },
  { name: 'flapping', count: 12, body: {}, health: comesAndGoes('broken') },
  { name: 'hasty', count: 12, body: { doubleCheck: false }, health: comesAndGoes('silent') },
]

/** One of the two servers: a data directory and a port of its own, the database shared. */
interface Replica {
  name: string
  product: Product
  restart(): Promise<void>
}

test.skipIf(!findPostgres())(
  'two servers on one PostgreSQL, whose leader is killed and suspended in turn, miss and double nothing',
  async () => {
    const seed = Number(process.env['VEDETTE_SEED'] ?? Date.now() % 1_000_000_000)
    console.log(`seed ${seed} (VEDETTE_SEED repeats it), chaos for ${chaosMs / 1000} s`)
    const random = seededRandom(seed)
    const beganAt = Date.now()
    let healed = false
    const asked: number[] = []
    const target = await startTarget((path) => {
      asked.push(Date.now())
      return healed ? 'up' : healthAt(kinds, path, (Date.now() - beganAt) / 1000)
    })
    const receiver = await startReceiver({ delayMs: 100 })
    const postgres = await startPostgres()
    const env = { DATABASE_URL: postgres.url, VEDETTE_MASTER_KEY: randomBytes(32).toString('hex') }
    const replicas = [await startReplica('first', env, random), await startReplica('second', env, random)]
    const [first] = replicas as [Replica, Replica]
    const db = await openDatabase({ url: postgres.url })
    const watch = watchLeadership(db)

    await first.product.api('POST', '/v1/alert-channels', {
      type: 'WEBHOOK',
      config: { name: 'Receiver', url: receiver.url },
    })
    const checks = await createChecks(kinds, target.url, (_, nth) => {
      const { product } = replicas[nth % replicas.length] as Replica
      return { product, locations }
    })
    const startedAt = Date.now()
    const requested: string[] = []
    let changes = 0
    while (Date.now() - startedAt < chaosMs) {
      await pause(random.between(2000, 5000))
      const leader = await leaderOf(replicas)
      const standby = replicas.find((each) => each !== leader)
      const wanted = checks[random.between(0, checks.length - 1)]
      const run = await standby?.product.api<{ resultIds: string[] }>('POST', `/v1/checks/${wanted?.id}/run`)
      requested.push(...(run?.body.resultIds ?? []))
      changes += 1
      // A start takes longest on a small machine.
      if (changes % 3 === 2) await killAndRestart(leader)
      else await suspend(leader)
    }
    healed = true
    const healedAt = Date.now()
    await until(
      'every check to run on and pass',
      () =>
        everyStatus(first.product, (status) => status.state === 'passing' && Number(status.lastCheckRunId) > healedAt),
      90_000,
      1000,
    )
    await until('every alert to be told', () => everyAlertTold(db), 90_000, 1000)
    const endedAt = Date.now()
    const takeOvers = watch.stop()
    for (const { product } of replicas) expect(await product.stop()).toBe(0)
    const history = await readHistory(db)

    console.log(summaryOf(history, receiver.deliveries, changes))
    for (const { at, afterRenewalMs } of takeOvers) {
      const servedAt = asked.find((each) => each > at)
      console.log(
        `take-over ${afterRenewalMs} ms after the last renewal, a target asked ${(servedAt ?? NaN) - at} ms later`,
      )
    }
    const chronicle = {
      checks,
      acknowledged: new Set<string>(),
      rejected: [],
      requested,
      inbox: inboxOf(receiver.deliveries, history),
      endings: new Map(checks.map(({ id }) => [id, 'up' as const])),
      kills: changes,
      startedAt,
      endedAt,
      unfinishedMs: 15_000,
      errors: [],
      events: [],
    }
    expect(brokenInvariants(chronicle, history)).toEqual([])
    expect(wrongAlerts(chronicle, history)).toEqual([])
    const ofSteady = new Set(checks.filter(({ kind }) => kind === 'steady').map(({ id }) => id))
    expect(history.alerts.filter(({ checkId }) => ofSteady.has(checkId))).toEqual([])
    expect(takeOvers.length).toBeGreaterThanOrEqual(changes)
    expect(takeOvers.filter(({ afterRenewalMs }) => afterRenewalMs > 3000)).toEqual([])

    await db.close()
    await postgres.stop()
    await target.stop()
    await receiver.stop()
    await Promise.all(replicas.map(({ product }) => removeDataDir(product.dataDir)))
  },
)

async function startReplica(
  name: string,
  env: Record<string, string>,
  random: ReturnType<typeof seededRandom>,
): Promise<Replica> {
  const dataDir = await newDataDir()
  const port = await freePort(() => random.next())
  const start = () => startProduct({ dataDir, env: { ...env, VEDETTE_PORT: String(port) } })
  const replica: Replica = {
    name,
    product: await start(),
    async restart() {
      replica.product = await start()
    },
  }
  return replica
}

async function killAndRestart(replica: Replica): Promise<void> {
  await replica.product.kill()
  // The other one takes over first, so that the restart does not cost it time on a small machine.
  await pause(4000)
  await replica.restart()
}

async function suspend({ product }: Replica): Promise<void> {
  product.process.kill('SIGSTOP')
  await pause(pauseMs)
  product.process.kill('SIGCONT')
}

const isLeading = async ({ product }: Replica): Promise<boolean> => {
  const answer = await fetch(`${product.url}/metrics`, { headers: { authorization: `Bearer ${product.apiKey}` } })
  return /^vedette_scheduler_leading 1$/m.test(await answer.text())
}

const leaderOf = (replicas: readonly Replica[]): Promise<Replica> =>
  until('one server to lead', async () => {
    const leading = await Promise.all(replicas.map(isLeading))
    expect(leading.filter(Boolean).length).toBeLessThanOrEqual(1)
    return replicas.find((_, at) => leading[at])
  })

interface TakeOver {
  at: number
  afterRenewalMs: number
}

/** Looks at the lease so often that each renewal is seen. */
function watchLeadership(db: Database) {
  const takeOvers: TakeOver[] = []
  let known: { epoch: number; renewedAt: number } | undefined
  let running = true
  const look = async () => {
    const { rows } = await db.pool.query<{ epoch: number; expires_at: Date }>(
      'SELECT epoch, expires_at FROM leadership',
    )
    const [row] = rows
    if (row === undefined) return
    const at = Date.now()
    if (known !== undefined && row.epoch > known.epoch) takeOvers.push({ at, afterRenewalMs: at - known.renewedAt })
    const renewedAt = known?.epoch === row.epoch ? Math.max(known.renewedAt, row.expires_at.getTime() - leaseMs) : at
    known = { epoch: row.epoch, renewedAt }
  }
  const run = async () => {
    while (running) {
      await look()
      await pause(20)
    }
  }
  const ended = run()
  ended.catch(() => undefined)
  return {
    stop(): TakeOver[] {
      running = false
      return takeOvers
    },
  }
}

/** How long a lease is valid after its renewal. */
const leaseMs = 2000

async function everyAlertTold(db: Database): Promise<boolean> {
  const { rows } = await db.pool.query(`SELECT 1 FROM alert_notifications WHERE status = 'IN_PROGRESS' LIMIT 1`)
  return rows.length === 0
}

function summaryOf({ results, alerts, gaps }: History, deliveries: readonly Delivery[], changes: number): string {
  const names = new Set(deliveries.map(({ headers }) => headers['webhook-id']))
  const unknown = results.filter(({ outcome }) => outcome === 'unknown').length
  return [
    `${changes} changes of the leader`,
    `${results.length} results, ${unknown} not known, ${results.filter(({ late }) => late).length} late`,
    `${alerts.length} alerts, ${deliveries.length} deliveries under ${names.size} names`,
    `${gaps.length} gaps`,
  ].join('; ')
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
