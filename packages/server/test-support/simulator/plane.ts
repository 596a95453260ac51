import type { Clock } from '@vedette/wire'
import { createSender, type ChannelKind } from '../../src/alerting/index.ts'
import { acceptResults } from '../../src/agents/accept-results.ts'
import { leaseJobs } from '../../src/agents/lease-jobs.ts'
import type { AgentKey } from '../../src/agents/store.ts'
import type { Database } from '../../src/db/database.ts'
import { Ingest } from '../../src/ingest/index.ts'
import { Dispatch } from '../../src/scheduling/dispatch.ts'
import type { TestClock } from '../clock.ts'
import type { Vault } from '../../src/vault.ts'
import { Life, mortalClock, mortalDatabase, type Traffic } from './mortal.ts'
import type { Door } from './sim-agent.ts'

/** One life of the server: the real modules over a database and a clock that may be taken away at any call. */
export interface Plane {
  life: Life
  dispatch: Dispatch
  stop(): Promise<void>
}

export interface PlaneOptions {
  db: Database
  clock: TestClock
  vault: Vault
  traffic: Traffic
  holder: string
  /** Makes the channel that notifications go out by, on the clock of this life. */
  channel: (clock: Clock) => ChannelKind
  log: { info(text: string): void; error(details: object, text: string): void }
}

export function startPlane(options: PlaneOptions): Plane {
  const life = new Life()
  const clock = mortalClock(options.clock, life)
  const db = mortalDatabase(options.db, life, options.traffic)
  const { vault, holder, log } = options
  const ingest = new Ingest({ db, clock, log })
  const egress = () => ({ privateTargets: true, deniedTargets: [] })
  const dispatch = new Dispatch({ db, clock, vault, ingest, egress, holder, log })
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
    async stop() {
      await dispatch.stop()
      await ingest.stop()
      await sender.stop()
    },
  }
}

/** What the routes of the agent protocol do, without HTTP in between. Calls fail when the server dies under them. */
export function doorTo({ life, dispatch }: Plane, key: AgentKey, agentId: string): Door {
  const plane = dispatch.agents
  const call = async <T>(work: () => Promise<T>): Promise<T> => {
    const { comes, forget } = life.death()
    try {
      if (!plane.isLeading()) throw new Error('503: another server leads.')
      return await Promise.race([work(), comes])
    } finally {
      forget()
    }
  }
  const attemptsOf = (leases: string[]) => leases.flatMap((lease) => plane.tokens.read(lease)?.attemptId ?? [])
  return {
    hello: (inFlight, spooled) =>
      call(async () => plane.queue.adopt(key.id, [...inFlight, ...spooled], await plane.keys.locationsOf(key))),
    lease: (free) =>
      call(() =>
        leaseJobs(plane, key, { agentId, free: { network: free }, waitMs: 0, signal: new AbortController().signal }),
      ),
    renew: (leases) => call(() => plane.queue.renew(key.id, attemptsOf(leases))),
    results: (reports) => call(() => acceptResults(plane, { key, agentId }, reports)),
  }
}
