import type { Clock } from '@vedette/wire'
import { databaseAtTimeOf } from '../database-time.ts'
import { createSender, type ChannelKind } from '../../src/alerting/index.ts'
import { acceptResults } from '../../src/agents/accept-results.ts'
import { agentApiDeps, type AgentApiDeps } from '../../src/agents/index.ts'
import { leaseJobs } from '../../src/agents/jobs/lease-jobs.ts'
import { heldRun } from '../../src/agents/jobs/lease-token.ts'
import type { AgentKey } from '../../src/agents/store.ts'
import type { Database } from '../../src/db/database.ts'
import { Ingest } from '../../src/ingest/index.ts'
import { PassiveChecks } from '../../src/passive/passive-checks.ts'
import { connectDispatch, type Dispatch } from '../../src/scheduling/dispatch.ts'
import type { TestClock } from '../clock.ts'
import type { Vault } from '../../src/vault.ts'
import { Life, mortalClock, mortalDatabase, type Traffic } from './mortal.ts'
import type { Door } from './sim-agent.ts'

const leaseMs = 30_000

/** One life of the server: the real modules, with a database and a clock that may end at any call. */
export interface Plane {
  life: Life
  dispatch: Dispatch
  agents: AgentApiDeps
  stop(): Promise<void>
}

export interface PlaneOptions {
  db: Database
  clock: TestClock
  vault: Vault
  traffic: Traffic
  holder: string
  /** Makes the channel of notifications, on the clock of this life. */
  channel: (clock: Clock) => ChannelKind
  log: { info(text: string): void; error(details: object, text: string): void }
}

export function startPlane(options: PlaneOptions): Plane {
  const life = new Life()
  const clock = mortalClock(options.clock, life)
  const db = mortalDatabase(databaseAtTimeOf(options.db, options.clock), life, options.traffic)
  const { vault, holder, log } = options
  const ingest = new Ingest({ db, clock, log })
  const egress = () => ({ privateTargets: true, deniedTargets: [] })
  const passive = new PassiveChecks({ db, clock, vault, ingest, log })
  const dispatch = connectDispatch({ db, clock, ingest, leaseMs, holder, log, passive })
  const agents = agentApiDeps({ db, clock, vault, work: dispatch.work, leaseMs, egress, log })
  const kinds = [options.channel(clock)]
  const sender = createSender({ db, clock, vault, egress, kinds, log, settings: {}, baseUrl: () => 'http://simulated' })
  ingest.onCommitted((results) => {
    if (results.some(({ notifications }) => notifications > 0)) sender.wake()
  })
  sender.start()
  dispatch.start().catch((error: unknown) => log.error({ err: error }, 'The simulated server did not start.'))
  return {
    life,
    dispatch,
    agents,
    async stop() {
      await dispatch.stop()
      await ingest.stop()
      await sender.stop()
    },
  }
}

/** The routes of the agent protocol without HTTP. Calls fail when the server dies during them. */
export function doorTo({ life, agents }: Plane, key: AgentKey, agentId: string): Door {
  const { work, tokens, keys } = agents
  const call = async <T>(act: () => Promise<T>): Promise<T> => {
    const { comes, forget } = life.death()
    try {
      if (!work.isLeading()) throw new Error('503: another server leads.')
      return await Promise.race([act(), comes])
    } finally {
      forget()
    }
  }
  const heldBy = (lease: string) => {
    const claims = tokens.read(lease)
    return claims && heldRun(claims)
  }
  return {
    hello: (inFlight, spooled) =>
      call(async () => work.adopt(key.id, [...inFlight, ...spooled], await keys.locationsOf(key))),
    lease: (free) =>
      call(() =>
        leaseJobs(agents, key, { agentId, free: { network: free }, waitMs: 0, signal: new AbortController().signal }),
      ),
    renew: (leases) =>
      call(() =>
        work.renew(
          key.id,
          leases.flatMap((lease) => heldBy(lease) ?? []),
        ),
      ),
    results: (reports) => call(() => acceptResults(agents, { key, agentId }, reports)),
  }
}
