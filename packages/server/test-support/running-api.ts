import type { Job } from '@vedette/wire'
import { registerApi } from '../src/api.ts'
import { apiHooks } from '../src/api-hooks.ts'
import { writer } from '../src/access/write.ts'
import type { Database } from '../src/db/database.ts'
import { liveHub } from '../src/live/hub.ts'
import { sessionEnds, SessionTurns } from '../src/sessions/index.ts'
import { apiDeps, callWith, keysOf, type TestApi } from './api.ts'
import { givenCheck, type GivenCheck } from './checks.ts'
import type { TestClock } from './clock.ts'
import { givenAccount } from './database.ts'
import { openTestHttp } from './http.ts'
import { givenPlane, TestAgent, type Plane } from './plane.ts'
import { failed, reportOf } from './reports.ts'

/** The management API over a schedule, queue and ingest that run, on simulated time, with an agent that a test speaks for. */
export interface RunningApi extends Pick<TestApi, 'accountId' | 'keys' | 'call'> {
  plane: Plane
  agent: TestAgent
  /** A check once a day, in the schedule. */
  scheduled(definition?: Record<string, unknown>): Promise<GivenCheck>
  /** The jobs that wait now. */
  jobs(): Promise<Job[]>
  /** The jobs that a request under way asks for. */
  comingJobs(): Promise<Job[]>
  /** Lets time go on by such steps until the answer is there. */
  goOnUntil<Answer>(answer: Promise<Answer>, stepMs: number): Promise<Answer>
  pass: (jobs: readonly Job[]) => Promise<void>
  fail: (jobs: readonly Job[]) => Promise<void>
  stop(): Promise<void>
  /** Ends without stopping its parts, as a killed process does. */
  crash(): Promise<void>
}

/** Looks for what comes without time going on; each takes a query. */
const mostLooks = 500

const log = { error: () => undefined }

interface Before {
  clock?: TestClock
  accountId?: string
}

/** `before`: continues on the same database after another one was stopped. */
export async function givenRunningApi(db: Database, before: Before = {}): Promise<RunningApi> {
  const plane = await givenPlane(db, before.clock)
  const { clock, dispatch, ingest } = plane
  // Without the lock of a data directory, the lease of the last leader has to expire first.
  if (before.clock !== undefined) await clock.advance(5000)
  const ends = sessionEnds(clock)
  const turns = new SessionTurns({ db, clock, ends, log, runsRequested: (ids) => dispatch.runsRequested(ids) })
  turns.start()
  ingest.onCommitted((results) => {
    turns.committed(results)
    ends.perhaps(results.map(({ checkId }) => checkId))
  })
  const cache = { forget: () => undefined }
  const caches = { variables: cache, certificates: cache, keys: cache }
  const hooks = apiHooks({ db, hub: liveHub(), schedule: dispatch, turns, ...caches })
  const deps = { ...apiDeps(db, hooks), clock, write: writer({ db, clock, log }), sessionEnds: ends }
  const app = await openTestHttp(db, (http) => registerApi(http, deps), { authenticate: deps.authenticate })
  const accountId = before.accountId ?? (await givenAccount(db))
  const keys = await keysOf(db, accountId)
  const agent = new TestAgent(plane, await plane.agents.keys.mintBuiltin('test'))
  await agent.hello()
  const report = async (jobs: readonly Job[], more: Parameters<typeof reportOf>[1]) => {
    await agent.report(clock, ...jobs.map((job) => reportOf(job, more)))
  }
  const jobs = async () => {
    await clock.advance(0)
    return agent.lease()
  }
  return {
    plane,
    agent,
    accountId,
    keys,
    call: callWith(app, keys.admin),
    async scheduled(definition = {}) {
      const parts = { accountId, definition: { frequency: 1440, frequencyOffset: 1, ...definition } }
      const check = await givenCheck(plane, parts)
      await dispatch.checkChanged(check.id)
      return check
    },
    jobs,
    async comingJobs() {
      for (let look = 0; look < mostLooks; look++) {
        const found = await jobs()
        if (found.length > 0) return found
      }
      throw new Error('No jobs came.')
    },
    async goOnUntil(answer, stepMs) {
      let isThere = false
      const noted = answer.finally(() => (isThere = true))
      for (let look = 0; look < mostLooks && !isThere; look++) await clock.advance(stepMs)
      return noted
    },
    pass: (jobs) => report(jobs, {}),
    fail: (jobs) => report(jobs, { verdict: failed }),
    async crash() {
      await turns.stop()
      await plane.crash()
      await app.close()
    },
    async stop() {
      await app.close()
      await turns.stop()
      await plane.stop()
    },
  }
}
