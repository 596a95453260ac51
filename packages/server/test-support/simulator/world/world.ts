import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '@vedette/wire'
import { AgentKeys } from '../../../src/agents/keys/agent-keys.ts'
import type { Database } from '../../../src/db/database.ts'
import { ensurePartitions } from '../../../src/db/partitions.ts'
import { givenParents } from '../../checks.ts'
import { TestClock } from '../../clock.ts'
import type { Chronicle, WorldView } from '../chronicle.ts'
import { Traffic } from '../mortal.ts'
import { seededRandom } from '../random.ts'
import { describeBlow, type Script } from '../script.ts'
import { simChannel } from '../sim-channel.ts'
import { givenListener, givenSimCheck, simLocations, type Listener } from '../sim-checks.ts'
import { isOk, targetOf } from '../target.ts'
import { agentsByLocation, AgentHost } from './agent-host.ts'
import { fallibleDatabase } from './fallible-database.ts'
import { recorded, routesOf } from './host-routes.ts'
import { openServerDatabase } from './server-database.ts'
import { ServerHost } from './server-host.ts'
import { strike } from './strike.ts'
import type { Speaker } from './watch-signal.ts'
import { extend, watchWorld } from './watch.ts'

const minute = 60_000
/** The beginning of simulated time. */
export const startOfTime = Date.UTC(2026, 0, 5, 12)
const roomyDisk = { free: 50 * 1024 ** 3, size: 100 * 1024 ** 3 }
const fullDisk = { ...roomyDisk, free: 0 }
/** What a channel refused for good is told again about ten minutes later. */
const refusedMs = 12 * minute
/** After everything has healed: shortest and longest time until the end. */
const calm = { leastMs: 1 * minute, mostMs: 16 * minute, stepMs: 0.5 * minute }

export interface WorldOptions {
  db: Database
  script: Script
  /** Gets every event as it happens. */
  onEvent?: (event: string) => void
}

/** Servers that are killed and paused, agents that are lost, targets with troubles, and clocks that leap. */
export class World {
  readonly #script: Script
  readonly #db: Database
  readonly #traffic = new Traffic()
  readonly #clock = new TestClock(startOfTime, () => this.#traffic.settled())
  readonly #servers = new Map<string, ServerHost>()
  readonly #serverDatabases: Database[] = []
  readonly #agents = new Map<string, AgentHost>()
  readonly #faults = { refusesCommits: false, isSilent: false, channelIsBroken: false }
  readonly #onEvent: ((event: string) => void) | undefined
  readonly #view: WorldView = {
    targets: new Map(),
    serverTroubles: [],
    agentTroubles: new Map(),
    unreachable: new Map(),
    troubles: new Map(),
    changes: new Map(),
    leaps: [],
    clocksDiffer: false,
    deadLocations: new Set(),
    brokenChannel: [],
    requestedOf: new Map(),
    subscribed: new Set(),
    longestRunMs: 0,
    slots: new Map(),
    silent: new Set(),
    endedAt: 0,
    unexcused: [],
  }
  readonly #chronicle: Chronicle = {
    checks: [],
    acknowledged: new Set(),
    rejected: [],
    requested: [],
    inbox: [],
    endings: new Map(),
    kills: 0,
    lostAnswers: [],
    startedAt: startOfTime,
    endedAt: 0,
    errors: [],
    events: [],
    world: this.#view,
  }
  #folder = ''
  #isCalm = false

  constructor({ db, script, onEvent }: WorldOptions) {
    this.#chronicle.hasPlans = (script.planKeptMs ?? 0) > 0
    if (script.unfinishedMs !== undefined) this.#chronicle.unfinishedMs = script.unfinishedMs
    this.#db = db
    this.#script = script
    this.#onEvent = onEvent
  }

  /** Runs the simulation and returns what happened. */
  async run(): Promise<Chronicle> {
    this.#folder = await mkdtemp(join(tmpdir(), 'simulated-agents-'))
    try {
      const listener = await this.#populate()
      await this.#live(listener)
      return this.#chronicle
    } finally {
      for (const agent of this.#agents.values()) await agent.crash()
      for (const db of this.#serverDatabases) await db.close()
      await rm(this.#folder, { recursive: true })
    }
  }

  async #populate(): Promise<Listener> {
    await ensurePartitions(this.#db, startOfTime)
    const listener = await givenListener(this.#db)
    for (const plan of this.#script.checks) {
      this.#chronicle.checks.push(await givenSimCheck(this.#db, plan, { ...listener, now: startOfTime }))
      if (plan.troubles.some(({ health }) => health === 'silent')) this.#view.silent.add(plan.id)
      this.#view.targets.set(plan.id, targetOf(plan.troubles, startOfTime))
    }
    await this.#relate()
    for (const name of this.#script.servers) this.#servers.set(name, await this.#serverHost(name))
    const keys = new AgentKeys({ db: this.#db, clock: this.#clock })
    for (const plan of this.#script.agents) {
      const { raw } = await keys.mintForDataCenter(this.#db.pool, plan.location as 'eu-west-1')
      this.#agents.set(plan.name, this.#agentHost(plan, raw))
    }
    for (const { location, slots } of this.#script.agents)
      this.#view.slots.set(location, Math.min(slots ?? 100, this.#view.slots.get(location) ?? Infinity))
    this.#view.longestRunMs = this.#script.unreliable ? 36_000 : 3000
    const served = new Set(this.#script.agents.map(({ location }) => location))
    for (const location of simLocations) if (!served.has(location)) this.#view.deadLocations.add(location)
    return listener
  }

  /** Makes checks the parents of others. */
  async #relate(): Promise<void> {
    const { checks } = this.#chronicle
    for (const [nth, check] of checks.entries()) {
      const parents = (this.#script.checks[nth]?.parents ?? []).flatMap((nr) => checks[nr] ?? [])
      if (parents.length === 0) continue
      await givenParents({ db: this.#db }, check, parents)
      check.parents = parents.map(({ id }) => id)
    }
  }

  async #serverHost(name: string): Promise<ServerHost> {
    const own = await openServerDatabase(this.#db)
    this.#serverDatabases.push(own)
    return new ServerHost({
      name,
      db: fallibleDatabase(own, this.#faults),
      faults: this.#faults,
      clock: this.#clock,
      traffic: this.#traffic,
      routes: recorded(await routesOf(name, this.#db), this.#chronicle),
      channel: (clock) => this.#channel(clock),
      chronicle: this.#chronicle,
      diskSpace: () => Promise.resolve(this.#faults.refusesCommits ? fullDisk : roomyDisk),
      planKeptMs: this.#script.planKeptMs ?? 0,
      // The next look at the world may be too late to see it.
      onLeaderLost: () => extend(this.#view.serverTroubles, this.#clock.now()),
      note: (event) => this.#note(event),
    })
  }

  #channel(clock: Clock) {
    return simChannel({
      clock,
      now: () => this.#clock.now(),
      random: seededRandom(this.#script.seed + 1),
      inbox: this.#chronicle.inbox,
      isCalm: () => this.#isCalm || !this.#script.unreliable,
      isBroken: () => this.#faults.channelIsBroken,
    })
  }

  #agentHost(plan: Script['agents'][number], key: string): AgentHost {
    return new AgentHost({
      plan,
      key,
      seed: this.#script.seed,
      folder: this.#folder,
      clock: this.#clock,
      traffic: this.#traffic,
      addresses: [...this.#servers.values()],
      health: (checkId, location) => this.#view.targets.get(checkId)?.healthAt(this.#clock.now(), location) ?? 'up',
      unreliable: this.#script.unreliable,
      note: (event) => this.#note(event),
    })
  }

  async #live(listener: Listener): Promise<void> {
    const { blows, minutes } = this.#script
    for (const server of this.#servers.values()) server.start()
    for (const agent of this.#agents.values()) await agent.start()
    this.#watch()
    const stricken = {
      db: this.#db,
      clock: this.#clock,
      servers: this.#servers,
      agents: this.#agents,
      faults: this.#faults,
      listener,
      chronicle: this.#chronicle,
      view: this.#view,
    }
    for (const { atMs, blow } of blows) {
      this.#clock.after(atMs, () => {
        if (this.#isCalm) return
        this.#note(describeBlow(blow))
        strike(stricken, blow)
      })
    }
    await this.#clock.advance(minutes * minute)
    await this.#heal()
    await this.#comeToRest()
    const ends = [...this.#servers.values()].map(async ({ server }) => server?.stop())
    await this.#clock.advance(2000)
    await Promise.all(ends)
  }

  #watch(): void {
    const hosts = () => [...this.#servers.values()]
    const watched = {
      now: () => this.#clock.now(),
      after: (delayMs: number, call: () => void) => this.#clock.after(delayMs, call),
      couldLead: () => hosts().some(({ life }) => life?.running) && this.#stores,
      losesAnswers: () => hosts().every(({ life }) => !life?.running || life.losesAnswers),
      isLed: () => hosts().some((host) => host.isLeading),
      agents: () => agentsByLocation(this.#agents.values()),
      speakers: () => this.#speakers(),
      inbox: this.#chronicle.inbox,
      blindness: () => this.#blindness(),
      channelIsBroken: () => this.#view.brokenChannel.some(({ to }) => this.#clock.now() < to + refusedMs),
    }
    watchWorld(watched, this.#view, this.#view.unexcused)
  }

  #speakers(): Speaker[] {
    return [...this.#servers.values()].flatMap(({ life, isLeading, server }) =>
      life?.running ? [{ life, isLeading, look: server?.look() }] : [],
    )
  }

  get #stores(): boolean {
    return !this.#faults.refusesCommits && !this.#faults.isSilent
  }

  #blindness(): string | undefined {
    if (!this.#stores) return 'nothing can be stored'
    return [...this.#agents.values()].some(({ canCall }) => canCall) ? undefined : 'no agent can call'
  }

  async #heal(): Promise<void> {
    this.#note('everything heals')
    this.#isCalm = true
    this.#faults.refusesCommits = false
    this.#faults.isSilent = false
    this.#faults.channelIsBroken = false
    for (const server of this.#servers.values()) server.heal()
    for (const agent of this.#agents.values()) await agent.heal()
  }

  /** Moves on until nothing is left to do and every check is in the state of its target. */
  async #comeToRest(): Promise<void> {
    const began = this.#clock.now()
    await this.#clock.advance(calm.leastMs)
    while (this.#clock.now() - began < (this.#script.restMs ?? calm.mostMs) && !(await this.#isAtRest()))
      await this.#clock.advance(calm.stepMs)
    for (const check of this.#chronicle.checks) {
      const target = this.#view.targets.get(check.id)
      const seen = check.locations.map((location) => target?.healthAt(this.#clock.now(), location) ?? 'up')
      this.#chronicle.endings.set(check.id, seen.every(isOk) ? 'up' : 'down')
    }
    this.#view.endedAt = this.#clock.now()
    for (const { name, spooled } of this.#agents.values())
      if (spooled > 0) this.#view.unexcused.push(`${spooled} results stayed in the spool of ${name}`)
    const servers = [...this.#servers.values()]
    const leader = servers.find(({ isLeading }) => isLeading) ?? servers[0]
    this.#chronicle.endedAt = (leader?.clock ?? this.#clock).now()
  }

  async #isAtRest(): Promise<boolean> {
    if ([...this.#agents.values()].some(({ spooled }) => spooled > 0)) return false
    const { rows } = await this.#db.pool.query<{ left: number }>(
      `SELECT (SELECT count(*) FROM pending_runs) +
         (SELECT count(*) FROM alert_notifications WHERE status = 'IN_PROGRESS') AS left`,
    )
    if (rows[0]?.left !== 0) return false
    const states = await this.#db.pool.query<{ check_id: string; state: string }>(
      `SELECT s.check_id, s.state FROM check_status s JOIN checks c ON c.id = s.check_id
       WHERE c.deleted_at IS NULL AND c.activated`,
    )
    return states.rows.every(({ check_id, state }) => {
      const target = this.#view.targets.get(check_id)
      const health = target?.healthAt(this.#clock.now(), '') ?? 'up'
      return state === (isOk(health) ? 'passing' : 'failing')
    })
  }

  #note(event: string): void {
    const line = `${new Date(this.#clock.now()).toISOString().slice(11, 23)} ${event}`
    this.#chronicle.events.push(line)
    this.#onEvent?.(line)
  }
}
