import { randomUUID } from 'node:crypto'
import { agentPaths, agentProtocolVersion, type Job, type LeaseResponse } from '@vedette/wire'
import { AgentKeys, agentApiDeps, agentRoutes, type AgentApiDeps } from '../src/agents/index.ts'
import type { AssetStore } from '../src/assets/index.ts'
import type { Database } from '../src/db/database.ts'
import { ensurePartitions } from '../src/db/partitions.ts'
import type { App } from '../src/http/build-http.ts'
import { memoryAssets } from './assets.ts'
import { openTestHttp } from './http.ts'
import { Ingest } from '../src/ingest/index.ts'
import { testVault } from './vault.ts'
import { Life, mortalClock, mortalDatabase, Traffic } from './simulator/mortal.ts'
import { PassiveChecks } from '../src/passive/passive-checks.ts'
import { connectDispatch, type Dispatch } from '../src/scheduling/dispatch.ts'
import { waitingSessions } from '../src/sessions/index.ts'
import { TestClock } from './clock.ts'

export interface Plane {
  clock: TestClock
  dispatch: Dispatch
  agents: AgentApiDeps
  app: App
  ingest: Ingest
  db: Database
  assets: AssetStore
  /** Results of which files were announced. */
  assetsOf: string[]
  stop(): Promise<void>
  /** Ends without stopping its parts, as a killed process does. */
  crash(): Promise<void>
}

const leaseMs = 30_000
/** How long agents of private locations keep their plan. */
export const planKeptMs = 24 * 60 * 60_000
const silent = { info: () => undefined, error: () => undefined }

/** Scheduler, queue, ingest and agent routes on the database. Pass `clock` to continue after another plane. */
export async function givenPlane(
  raw: Database,
  clock?: TestClock,
  onLeased?: AgentApiDeps['onLeased'],
): Promise<Plane> {
  const traffic = new Traffic()
  const life = new Life()
  const db = mortalDatabase(raw, life, traffic)
  const time = clock ?? new TestClock()
  time.settleBy(() => traffic.settled())
  const ownClock = mortalClock(time, life)
  await ensurePartitions(raw, time.now())
  const ingest = new Ingest({ db, clock: ownClock })
  const passive = new PassiveChecks({ db, clock: ownClock, vault: testVault, ingest, log: silent })
  const parts = { db, clock: ownClock, ingest, passive }
  const keys = new AgentKeys({ db, clock: ownClock })
  const assets = memoryAssets()
  const assetsOf: string[] = []
  const awaited = () => keys.awaited()
  const waiting = waitingSessions(ownClock, () => undefined)
  const dispatch = connectDispatch({ ...parts, awaited, waiting, leaseMs, holder: randomUUID(), log: silent })
  const agents = agentApiDeps({
    db,
    clock: ownClock,
    vault: testVault,
    keys,
    work: dispatch.work,
    leaseMs,
    keepMs: (kind) => (kind === 'private' ? planKeptMs : 0),
    ...(onLeased && { onLeased }),
    assets,
    onAssets: (owner) => void assetsOf.push(owner.resultId),
    egress: (kind) => ({ privateTargets: kind === 'private', deniedTargets: [] }),
    log: silent,
  })
  await dispatch.start()
  const app = await openTestHttp(raw, (http) => void http.register((scope) => agentRoutes(scope as App, agents)))
  return {
    clock: time,
    dispatch,
    agents,
    app,
    ingest,
    db: raw,
    assets,
    assetsOf,
    async stop() {
      const stopping = dispatch.stop()
      // Ingest still waits for a batch before it stores what was lost last.
      await time.advance(1000)
      await stopping
      await ingest.stop()
      await app.close()
    },
    async crash() {
      life.die()
      await app.close()
    },
  }
}

/** Deletes checks, runs and leaders of earlier tests. */
export async function forgetChecks(db: Database): Promise<void> {
  await db.pool.query('DELETE FROM pending_runs')
  await db.pool.query('DELETE FROM coverage_gaps')
  await db.pool.query('DELETE FROM leadership')
  await db.pool.query('UPDATE checks SET deleted_at = now() WHERE deleted_at IS NULL')
}

/** An agent that speaks the protocol and runs nothing: the test passes its reports. */
export class TestAgent {
  readonly agentId = randomUUID()
  readonly #app: App
  readonly #key: string
  readonly #paths: Readonly<Record<keyof typeof agentPaths, string>>

  constructor({ app }: Pick<Plane, 'app'>, key: string, paths: Record<keyof typeof agentPaths, string> = agentPaths) {
    this.#app = app
    this.#key = key
    this.#paths = paths
  }

  async post(path: keyof typeof agentPaths, body: Record<string, unknown>) {
    const response = await this.#app.inject({
      method: 'POST',
      url: this.#paths[path],
      headers: { authorization: `Bearer ${this.#key}` },
      payload: { agentId: this.agentId, ...body },
    })
    return { status: response.statusCode, headers: response.headers, body: asJson(response.body) }
  }

  hello(inFlight: string[] = []) {
    const abilities = { checkTypes: ['API', 'URL', 'TCP'], capabilities: [], capacity: { network: 100 } }
    return this.post('hello', { protocol: agentProtocolVersion, version: '1', ...abilities, inFlight, spooled: [] })
  }

  async lease(waitMs = 0, free = 100): Promise<Job[]> {
    const answer = await this.post('lease', { free: { network: free }, waitMs })
    return (answer.body as unknown as LeaseResponse).jobs
  }

  renew(leases: string[]) {
    return this.post('renew', { leases, vitals: { eventLoopLagMs: 1, residentMb: 50, running: 2, spooled: 0 } })
  }

  /** Reports while time moves on, because ingest waits for a batch before it commits. */
  async report(clock: TestClock, ...reports: unknown[]) {
    const answer = this.post('results', { results: reports })
    await clock.advance(500)
    return answer
  }
}

const asJson = (text: string): Record<string, unknown> =>
  text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
