import { afterEach, beforeEach } from 'vitest'
import type { Database } from '../src/db/database.ts'
import { Ingest } from '../src/ingest/index.ts'
import type { AcceptAnswer, CommittedResult, IncomingResult } from '../src/runs.ts'
import { givenAccount } from './account.ts'
import { givenCheck, type GivenCheck } from './checks.ts'
import { TestClock } from './clock.ts'

export interface IngestOptions {
  /** The database that ingest gets. Default: the one of the tests as it is. */
  over?: (db: Database, clock: TestClock) => Database
  /** What the clock waits for between two timers. */
  settle?: () => Promise<void>
}

/** What is new for each test. */
interface Fresh {
  clock: TestClock
  /** What ingest gets. */
  db: Database
  ingest: Ingest
  accountId: string
}

/** For each test an account, a clock that shows `now`, and ingest on that clock, which is stopped at the end. */
export function useIngest(database: { readonly db: Database }, { over = (db) => db, settle }: IngestOptions = {}) {
  /** Within the existing partitions, on a whole second. */
  const now = Math.floor(Date.now() / 1000) * 1000
  const fresh = {} as Fresh
  const announced: CommittedResult[] = []
  const errors: string[] = []
  const log = { error: (_: object, message: string) => void errors.push(message) }

  /** Another ingest on the same clock: its test stops it. */
  function open(db: Database): Ingest {
    const opened = new Ingest({ db, clock: fresh.clock, log })
    opened.onCommitted((results) => announced.push(...results))
    return opened
  }

  beforeEach(async () => {
    announced.length = 0
    errors.length = 0
    fresh.clock = new TestClock(now, settle)
    fresh.accountId = await givenAccount(database.db)
    fresh.db = over(database.db, fresh.clock)
    fresh.ingest = open(fresh.db)
  })
  afterEach(() => fresh.ingest.stop())

  /** Accepts results and advances the time that they may wait. */
  async function take(results: IncomingResult[], into = fresh.ingest): Promise<AcceptAnswer> {
    const answer = into.accept(results)
    await fresh.clock.advance(500)
    return answer
  }

  /** Offers the results, and those that were not taken again every six seconds, as an agent does. */
  async function deliver(results: IncomingResult[], times: number, into = fresh.ingest): Promise<AcceptAnswer> {
    const all: AcceptAnswer = { accepted: [], rejected: [] }
    for (let time = 0; time < times; time++) {
      const settled = new Set([...all.accepted, ...all.rejected.map(({ attemptId }) => attemptId)])
      const left = results.filter(({ identity }) => !settled.has(identity.attemptId))
      if (left.length === 0) break
      // Nothing is taken for up to five seconds after failures in a row.
      await fresh.clock.advance(6000)
      const { accepted, rejected } = await take(left, into)
      all.accepted.push(...accepted)
      all.rejected.push(...rejected)
    }
    return all
  }

  /** A check at two locations of the account. */
  const given = (definition: Record<string, unknown> = {}): Promise<GivenCheck> =>
    givenCheck(
      { db: database.db, clock: fresh.clock },
      { accountId: fresh.accountId, definition: { locations: ['eu-west-1', 'us-east-1'], ...definition } },
    )

  return Object.assign(fresh, { now, announced, errors, open, given, take, deliver, ...readingOf(database) })
}

/** What is stored of a check. */
function readingOf(database: { readonly db: Database }) {
  const read = async (sql: string, check: GivenCheck) =>
    (await database.db.pool.query<Record<string, unknown>>(sql, [check.id])).rows
  return {
    rowsOf: (check: GivenCheck) =>
      read('SELECT * FROM check_results WHERE check_id = $1 ORDER BY due_at, attempts', check),
    statusOf: async (check: GivenCheck) => (await read('SELECT * FROM check_status WHERE check_id = $1', check))[0],
    alertsOf: async (check: GivenCheck) =>
      (await read('SELECT alert_type FROM check_alerts WHERE check_id = $1 ORDER BY seq', check)).map(
        ({ alert_type: type }) => type,
      ),
  }
}

export const idsOf = (results: readonly IncomingResult[]): string[] => results.map(({ identity }) => identity.attemptId)
