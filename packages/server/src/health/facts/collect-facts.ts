import { isPrivateLocation, type Clock, type LocationId } from '@vedette/wire'
import type { AgentApiDeps } from '../../agents/index.ts'
import { locationName } from '../../alerting/index.ts'
import type { Database } from '../../db/database.ts'
import type { IngestCondition } from '../../ingest/index.ts'
import { readLocationsById } from '../../locations/store.ts'
import type { ScheduleCondition } from '../../scheduling/dispatch.ts'
import { agentFacts, locationFacts, type ServingAgent, type UsedLocation } from './agent-facts.ts'
import { clockLeaps } from './clock-leaps.ts'
import type { DiskSpace } from './disk-space.ts'
import type { CanaryFact, FailingChannels, HealthFacts } from './facts.ts'
import { stopwatches } from './stopwatch.ts'
import { readFailingChannels, readLeases } from '../store.ts'
import { isNearlyFull, thresholds } from '../troubles/thresholds.ts'
import { within } from '../within.ts'

export interface HealthSources {
  db: Database
  clock: Clock
  /** Space where the data directory is. */
  diskSpace: () => Promise<DiskSpace>
  schedule: () => ScheduleCondition
  ingest: () => IngestCondition
  unknownRuns: () => HealthFacts['unknownRuns']
  /** Monotonic time of the last look for due notifications. */
  deliveredAt: () => number | undefined
  agents: Pick<AgentApiDeps, 'presence' | 'keys'>
  /** The last run of the canary; null when it is off. */
  canary: () => Promise<CanaryFact | null>
  /** The account of the canary: its check does not count as one of users. */
  canaryAccount: string
  deadman: () => HealthFacts['deadman']
}

/** A look this late means that this process was suspended: what it could not hear meanwhile does not count. */
const suspendedMs = 30_000
/** A term that begins this soon after the last look in one continues it: a lease that comes and goes hides nothing. */
const termBreakMs = 60_000
const answerMs = 4_000
const renewedMs = 10_000
const dayMs = 86_400_000
const channelsEveryMs = 30_000

/** Collects the facts of the signal from the parts of this process. Call it every few seconds. */
export class FactCollector {
  readonly #from: HealthSources
  readonly #watch: ReturnType<typeof stopwatches>
  readonly #leapt: ReturnType<typeof clockLeaps>
  readonly #locations = locationFacts()
  #countedFrom: number
  #lookedAt: number
  #ledAt = -Infinity
  #asking: ReturnType<typeof readLeases> | undefined
  /** The lease of another server as it was last seen, and when it was renewed. */
  #other: { mark: string | undefined; changedAt: number } = { mark: undefined, changedAt: -Infinity }
  #leases = ''
  #slow: { at: number; channels: FailingChannels[]; canary: CanaryFact | null } | undefined
  #complete = { slow: false, agents: false }
  #heardAt = -Infinity
  #agents: ServingAgent[] = []
  #used: UsedLocation[] = []

  constructor(from: HealthSources) {
    this.#from = from
    const { clock } = from
    this.#watch = stopwatches(() => clock.monotonic())
    this.#leapt = clockLeaps(clock)
    this.#countedFrom = clock.monotonic()
    this.#lookedAt = this.#countedFrom
  }

  async collect(): Promise<HealthFacts> {
    const { clock, ingest, unknownRuns, deliveredAt, agents, deadman } = this.#from
    const schedule = this.#from.schedule()
    this.#noteBreaks(schedule.leading)
    const database = await this.#askDatabase(schedule.holder)
    if (database.answers) await this.#readSlowly()
    if (database.answers) await this.#readAgents(schedule)
    else this.#refreshAgents()
    const now = clock.monotonic()
    const otherLeads = !schedule.leading && now - this.#other.changedAt < renewedMs
    const time = { now, countedFrom: this.#countedFrom }
    return {
      now: clock.now(),
      database,
      leading: schedule.leading,
      otherLeads,
      leaderlessMs: this.#watch.held('leaderless', !schedule.leading && !otherLeads),
      leaseFault: schedule.leaseFault,
      leases: this.#leases,
      ...this.#scheduleFacts(schedule),
      ...this.#askedFacts(agents.presence.askedAt),
      noAgentMs: this.#noAgentMs(),
      agents: agentFacts(this.#agents, (at) => this.#age(at) ?? 0),
      locations: this.#locations(this.#used, this.#agents, time),
      ingest: this.#ingestFacts(ingest()),
      unknownRuns: unknownRuns(),
      ...this.#deliveryFacts(deliveredAt()),
      ...this.#slowFacts(),
      disk: await this.#disk(),
      openGaps: schedule.gaps,
      clockLeap: this.#leapt(),
      deadman: deadman(),
      countedMs: this.#countedMs(),
      complete: database.answers && this.#complete.slow && this.#complete.agents,
    }
  }

  #askedFacts(askedAt: number | undefined): Pick<HealthFacts, 'leaseAgeMs' | 'notAskedMs'> {
    const leaseAgeMs = this.#age(askedAt)
    return { leaseAgeMs, notAskedMs: leaseAgeMs ?? this.#countedMs() }
  }

  #deliveryFacts(deliveredAt: number | undefined): Pick<HealthFacts, 'deliveryRoundMs' | 'deliveryWorks'> {
    return { deliveryRoundMs: this.#age(deliveredAt) ?? this.#countedMs(), deliveryWorks: this.#isCounted(deliveredAt) }
  }

  #slowFacts(): Pick<HealthFacts, 'failingChannels' | 'canary'> {
    return { failingChannels: this.#slow?.channels ?? [], canary: this.#slow?.canary ?? null }
  }

  #countedMs(): number {
    return this.#from.clock.monotonic() - this.#countedFrom
  }

  #isCounted(at: number | undefined): boolean {
    return at !== undefined && at >= this.#countedFrom
  }

  /** After a suspension, and at the start of a term, ages count anew. */
  #noteBreaks(leading: boolean): void {
    const now = this.#from.clock.monotonic()
    const isSuspended = now - this.#lookedAt > suspendedMs
    if (isSuspended) this.#watch.reset()
    const isNewTerm = leading && now - this.#ledAt > termBreakMs
    if (isSuspended || isNewTerm) this.#countedFrom = now
    this.#lookedAt = now
    if (leading) this.#ledAt = now
  }

  #age(at: number | undefined): number | null {
    const now = this.#from.clock.monotonic()
    return at === undefined ? null : now - Math.max(at, this.#countedFrom)
  }

  async #askDatabase(holder: string): Promise<HealthFacts['database']> {
    const { clock, db } = this.#from
    try {
      // One question at a time: a database that is mute would collect them.
      this.#asking ??= readLeases(db.pool, holder).finally(() => (this.#asking = undefined))
      const leases = await within(clock, answerMs, 'The answer of the database', this.#asking)
      const mark = leases.others
      this.#leases = leases.all
      const { mark: before, changedAt } = this.#other
      const isRenewed = before !== undefined && mark !== before && mark !== ''
      this.#other = { mark, changedAt: isRenewed ? clock.monotonic() : changedAt }
      return { answers: true, silentMs: this.#watch.held('silent', false), reason: null }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return { answers: false, silentMs: this.#watch.held('silent', true), reason }
    }
  }

  /** What costs more than a look at a few rows is read less often. */
  async #readSlowly(): Promise<void> {
    const { clock, db, canary } = this.#from
    const now = clock.monotonic()
    if (this.#slow !== undefined && now - this.#slow.at < channelsEveryMs) return
    const wall = clock.now()
    const times = { from: new Date(wall - dayMs), retriedSince: new Date(wall - 300_000), now: new Date(wall) }
    const [channels, last] = await Promise.allSettled([
      within(clock, answerMs, 'Reading', readFailingChannels(db.pool, times)),
      within(clock, answerMs, 'Reading', canary()),
    ])
    // What cannot be read is told by `complete`, keeps its last value, and is read again at the next look.
    this.#complete.slow = channels.status === 'fulfilled' && last.status === 'fulfilled'
    this.#slow = {
      at: this.#complete.slow ? now : -Infinity,
      channels: channels.status === 'fulfilled' ? channels.value : (this.#slow?.channels ?? []),
      canary: last.status === 'fulfilled' ? last.value : (this.#slow?.canary ?? null),
    }
  }

  /** Names and keys come from the database: without it those of the last look stand. */
  async #readAgents(schedule: ScheduleCondition): Promise<void> {
    const { clock, agents, db } = this.#from
    const owners = this.#ownersOf(schedule)
    const reading = (async () => {
      const shared: ReadonlySet<string> = await agents.keys.unclaimed()
      const own = await readLocationsById(db.pool, [...owners.keys()])
      const seen = agents.presence.list().map(async (one) => {
        const serves = await agents.keys.locationsOf(one.key)
        return { ...one, serves, name: one.key.kind === 'private' ? one.key.slug : agentName(one.key) }
      })
      this.#agents = await Promise.all(seen)
      this.#used = [...owners].map(([id, accountId]) => ({
        id,
        name: own.get(id)?.name ?? locationName(id),
        accountId,
        byBuiltin: shared.has(id),
        awaited: agents.keys.awaited().has(id),
      }))
    })()
    try {
      await within(clock, answerMs, 'Reading', reading)
      this.#complete.agents = true
    } catch {
      // Told by `complete`: names and keys of the last look stand.
      this.#complete.agents = false
      this.#refreshAgents()
    }
  }

  #refreshAgents(): void {
    const seen = new Map(this.#from.agents.presence.list().map((one) => [`${one.key.id} ${one.agentId}`, one]))
    this.#agents = this.#agents.map((one) => ({ ...one, ...seen.get(`${one.key.id} ${one.agentId}`) }))
  }

  /** Locations that checks of users are scheduled at; a private one with its account. */
  #ownersOf({ checks }: ScheduleCondition): Map<LocationId, string | null> {
    const owners = new Map<LocationId, string | null>()
    for (const { accountId, locations } of checks) {
      if (accountId === this.#from.canaryAccount) continue
      for (const id of locations) owners.set(id, isPrivateLocation(id) ? accountId : null)
    }
    return owners
  }

  #noAgentMs(): number {
    // An agent that said goodbye is in no list.
    this.#heardAt = Math.max(this.#heardAt, ...this.#agents.map(({ heardAt }) => heardAt))
    return this.#from.clock.monotonic() - Math.max(this.#countedFrom, this.#heardAt)
  }

  #scheduleFacts({ leading, tickedAt, firstDue, checks, waiting, leased }: ScheduleCondition) {
    const dueIn = firstDue === Infinity ? null : firstDue - this.#from.clock.now()
    let ofUsers = 0
    for (const { accountId } of checks) if (accountId !== this.#from.canaryAccount) ofUsers++
    const limit = Math.max(thresholds.waitingRuns, Math.ceil(ofUsers / 2))
    const isDue = leading && dueIn !== null && dueIn <= 0
    return {
      schedule: {
        checks: ofUsers,
        tickAgeMs: this.#age(tickedAt),
        firstDueInMs: dueIn,
        // A tick that came since ends the wait.
        overdueMs: Math.min(this.#watch.held('due', isDue), this.#age(tickedAt) ?? Infinity),
      },
      queue: { waiting, leased, limit, overLimitMs: this.#watch.held('waiting', waiting > limit) },
    }
  }

  #ingestFacts({ committedAt, failing }: IngestCondition): HealthFacts['ingest'] {
    const now = this.#from.clock.monotonic()
    const isFailing = failing !== undefined && now - failing.lastAt < thresholds.resultsTriedMs
    return {
      commitAgeMs: this.#age(committedAt),
      failingMs: isFailing ? now - failing.since : null,
      reason: isFailing ? failing.reason : null,
      works: failing === undefined && this.#isCounted(committedAt),
    }
  }

  async #disk(): Promise<HealthFacts['disk']> {
    const { clock, diskSpace } = this.#from
    try {
      const space = await within(clock, answerMs, 'The file system', diskSpace())
      return { ...space, lowMs: this.#watch.held('disk', isNearlyFull(space)) }
    } catch {
      // A file system that does not answer is noticed by what cannot be stored on it.
      return null
    }
  }
}

const agentName = ({ kind, location }: { kind: string; location: string }): string =>
  kind === 'builtin' ? 'the built-in agent' : locationName(location)
