import { pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { readConfig } from '../src/config.ts'
import type { Database } from '../src/db/database.ts'
import type { App } from '../src/http/build-http.ts'
import { Ingest } from '../src/ingest/index.ts'
import { connectParts, type Parts } from '../src/parts.ts'
import { PassiveChecks } from '../src/passive/passive-checks.ts'
import { connectDispatch } from '../src/scheduling/dispatch.ts'
import { waitingSessions } from '../src/sessions/index.ts'
import { openVault } from '../src/secrets/vault.ts'
import { TestClock } from './clock.ts'
import { givenAccount } from './database.ts'
import { givenKey } from './http.ts'
import { forgetChecks } from './plane.ts'
import { Life, mortalClock, mortalDatabase, Traffic } from './simulator/mortal.ts'

const vault = openVault({ current: Buffer.alloc(32, 7) })
const silent = { info: () => undefined, error: () => undefined }
/** One for every life, because the clock waits for the work of all of them. */
const traffic = new Traffic()

/** Enough for the next leader after a killed one on PostgreSQL. */
export const takeoverMs = 6000

/** A server on a clock that all tests of the file share. It is stopped at the end. */
export function usePassiveServer(database: { readonly db: Database }) {
  const clock = new TestClock()
  let running: PassiveServer | undefined
  const there = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('The server is there inside tests and hooks only.')
    return part
  }
  const start = async () => void (running = await startPassiveServer(database.db, clock))

  beforeAll(async () => {
    await forgetChecks(database.db)
    await start()
  })
  afterAll(() => running?.stop())

  return {
    clock,
    get server() {
      return there(running)
    },
    start,
    /** The server is killed, and the next one leads when this resolves. */
    async restart(): Promise<void> {
      await there(running).crash()
      await start()
      await clock.advance(takeoverMs)
    },
    startDecider: () => startDecider(database.db, clock),
    givenHeartbeat: () => givenHeartbeat(database.db, clock, () => there(running)),
  }
}

/** One life of the deciding part, without HTTP. It leads once time moves. */
function startDecider(raw: Database, time: TestClock) {
  const life = new Life()
  time.settleBy(() => traffic.settled())
  const [db, clock] = [mortalDatabase(raw, life, traffic), mortalClock(time, life)]
  const ingest = new Ingest({ db, clock })
  const passive = new PassiveChecks({ db, clock, vault, ingest, log: silent })
  const dispatch = connectDispatch({
    db,
    clock,
    ingest,
    passive,
    leaseMs: 30_000,
    holder: 'decider',
    log: silent,
    awaited: () => new Set(),
    waiting: waitingSessions(clock, () => undefined),
  })
  dispatch.start().catch(() => undefined)
  return { life, stop: () => dispatch.stop() }
}

interface PassiveServer {
  parts: Parts
  app: App
  /** The process, to kill it. */
  life: Life
  stop(): Promise<void>
  /** Ends without stopping its parts, as a killed process does. */
  crash(): Promise<void>
}

/** One life of the whole server over a database, on a clock that moves only by calls. */
async function startPassiveServer(raw: Database, clock: TestClock): Promise<PassiveServer> {
  const life = new Life()
  clock.settleBy(() => traffic.settled())
  const parts = await connectParts({
    config: readConfig({ VEDETTE_EGRESS: 'trusted' }),
    log: pino({ level: 'silent' }),
    clock: mortalClock(clock, life),
    db: mortalDatabase(raw, life, traffic),
    vault,
    account: { accountId: '', userId: '', apiKey: undefined, email: '' },
  })
  await parts.dispatch.start()
  parts.sender.start()
  await parts.app.ready()
  const { app } = parts
  return {
    parts,
    app,
    life,
    async stop() {
      const stopping = parts.dispatch.stop()
      await clock.advance(1000)
      await stopping
      await app.close()
      const stored = parts.ingest.stop()
      await clock.advance(1000)
      await stored
      await parts.sender.stop()
    },
    async crash() {
      life.die()
      await app.close()
    },
  }
}

/** What a request says of a check that expects a ping in so many seconds. */
export const secondsOf = (period: number, grace: number) => ({
  period,
  periodUnit: 'seconds',
  grace,
  graceUnit: 'seconds',
})

interface Heartbeat {
  id: string
  accountId: string
  /** A ping of the check arrives. */
  send: () => Promise<unknown>
  /** Outcomes of its results in the order in which they came. */
  outcomes: () => Promise<string[]>
  state: () => Promise<unknown>
}

/** A check that fails when no ping arrives within 70 seconds. `server` is the one that runs at the moment of a call. */
async function givenHeartbeat(db: Database, clock: TestClock, server: () => PassiveServer): Promise<Heartbeat> {
  const accountId = await givenAccount(db)
  const made = await server().app.inject({
    method: 'POST',
    url: '/v1/checks/heartbeat',
    headers: { authorization: `Bearer ${await givenKey(db, accountId, 'admin')}` },
    payload: { name: 'Backup', heartbeat: secondsOf(60, 10) },
  })
  const { id, heartbeat } = made.json<{ id: string; heartbeat: { pingUrl: string } }>()
  await clock.advance(1000)
  const read = async <Row>(sql: string) => (await db.pool.query<Row & object>(sql, [id])).rows
  return {
    id,
    accountId,
    send: () => server().app.inject({ method: 'GET', url: new URL(heartbeat.pingUrl).pathname }),
    outcomes: async () =>
      (
        await read<{ outcome: string }>(
          'SELECT outcome FROM check_results WHERE check_id = $1 ORDER BY received_at, due_at',
        )
      ).map(({ outcome }) => outcome),
    state: async () => (await read<{ state: string }>('SELECT state FROM check_status WHERE check_id = $1'))[0]?.state,
  }
}
