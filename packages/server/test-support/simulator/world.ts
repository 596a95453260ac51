import { randomUUID } from 'node:crypto'
import { AgentKeys } from '../../src/agents/keys/agent-keys.ts'
import type { AgentKey } from '../../src/agents/store.ts'
import type { Database } from '../../src/db/database.ts'
import { ensurePartitions } from '../../src/db/partitions.ts'
import { TestClock } from '../clock.ts'
import { testVault } from '../vault.ts'
import { Traffic } from './mortal.ts'
import { doorTo, startPlane, type Plane } from './plane.ts'
import { seededRandom, type Random } from './random.ts'
import { SimAgent, type Door } from './sim-agent.ts'
import { simChannel, type Delivery } from './sim-channel.ts'
import { givenSimCheck, simLocations, type SimCheck } from './sim-checks.ts'
import { randomTarget, type Health, type Target } from './target.ts'

const minute = 60_000
const startOfTime = Date.UTC(2026, 0, 5, 12)

export interface WorldOptions {
  db: Database
  seed: number
  checks: number
  /** Minutes with faults; after them there are none until the simulation has settled. */
  chaosMinutes: number
}

/** What happened besides what is in the database. */
export interface Chronicle {
  checks: SimCheck[]
  /** Results acknowledged to an agent as stored. */
  acknowledged: Set<string>
  rejected: (string | null)[]
  /** One-shots that were acknowledged to their caller. */
  requested: string[]
  /** Messages in the order they arrived. */
  inbox: Delivery[]
  /** The final health of each check's target. */
  endings: Map<string, Health>
  kills: number
  /** Times of commits whose answer was lost. */
  lostAnswers?: number[]
  startedAt: number
  endedAt: number
  /** Runs that started this shortly before the end may be unfinished. */
  unfinishedMs?: number
  errors: string[]
  /** What was done to the simulation, for debugging. */
  events: string[]
}

interface Post {
  agent: SimAgent
  key: AgentKey
  cutOff: boolean
}

/** A server that is killed again and again, agents that misbehave, targets with troubles, and a clock that leaps. */
export class World {
  readonly #options: WorldOptions
  readonly #random: Random
  readonly #traffic = new Traffic()
  readonly #clock = new TestClock(startOfTime, () => this.#traffic.settled())
  readonly #targets = new Map<string, Target>()
  readonly #posts: Post[] = []
  readonly #chronicle: Chronicle
  #plane: Plane | undefined
  #chaos = true

  constructor(options: WorldOptions) {
    this.#options = options
    this.#random = seededRandom(options.seed)
    this.#chronicle = {
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
    }
  }

  /** Runs the simulation and returns what happened. */
  async run(): Promise<Chronicle> {
    const chaosMs = this.#options.chaosMinutes * minute
    await this.#populate(startOfTime + chaosMs)
    this.#startPlane()
    for (const { agent } of this.#posts) agent.start()
    this.#plan(5000, 30_000, () => this.#strike())
    this.#plan(20_000, 90_000, () => this.#requestRun())
    await this.#clock.advance(chaosMs)
    this.#chaos = false
    this.#plane?.life.dieAfter(Infinity)
    this.#plane?.life.loseAnswers(0)
    this.#startPlane()
    for (const post of this.#posts) {
      post.cutOff = false
      post.agent.wild = false
    }
    // Longer than the six minutes after which a waiting run is given up.
    await this.#clock.advance(10 * minute)
    await this.#plane?.stop()
    this.#chronicle.endedAt = this.#clock.now()
    return this.#chronicle
  }

  async #populate(chaosEnds: number): Promise<void> {
    const { db, checks } = this.#options
    await ensurePartitions(db, startOfTime)
    const { accountId, channelId } = await givenListener(db)
    for (let n = 0; n < checks; n++) {
      const check = await givenSimCheck(db, this.#random, { accountId, channelId, now: startOfTime })
      const ending = { at: chaosEnds + minute, health: this.#random.pick(['up', 'up', 'down'] as const) }
      this.#targets.set(check.id, randomTarget(this.#random, { from: startOfTime, to: chaosEnds }, ending))
      this.#chronicle.checks.push(check)
      this.#chronicle.endings.set(check.id, ending.health)
    }
    const keys = new AgentKeys({ db, clock: this.#clock })
    for (const location of [...simLocations, simLocations[0]]) {
      const { key } = await keys.mintForDataCenter(db.pool, location)
      this.#posts.push(this.#post(key))
    }
  }

  #post(key: AgentKey): Post {
    const post: Post = {
      key,
      cutOff: false,
      agent: new SimAgent({
        clock: this.#clock,
        random: this.#random,
        skewMs: this.#random.between(-20_000, 20_000),
        door: () => this.#door(post),
        health: (checkId, atMs) => this.#targets.get(checkId)?.healthAt(atMs) ?? 'up',
        onAcknowledged: (ids) => ids.forEach((id) => this.#chronicle.acknowledged.add(id)),
        onRejected: (ids) => this.#chronicle.rejected.push(...ids),
      }),
    }
    return post
  }

  #door({ key, agent, cutOff }: Post): Door {
    if (!this.#plane || cutOff) throw new Error('The server cannot be reached.')
    return doorTo(this.#plane, key, agent.agentId)
  }

  #startPlane(): void {
    if (this.#plane) return
    const plane = startPlane({
      db: this.#options.db,
      clock: this.#clock,
      vault: testVault,
      traffic: this.#traffic,
      holder: `server-${this.#chronicle.kills}`,
      channel: (clock) =>
        simChannel({ clock, random: this.#random, inbox: this.#chronicle.inbox, isCalm: () => !this.#chaos }),
      log: {
        info: () => undefined,
        error: ({ err }: { err?: unknown }, text) => void this.#chronicle.errors.push(`${text} ${String(err)}`),
      },
    })
    this.#plane = plane
    this.#note('the server starts')
    plane.life.onLostAnswer = () => void this.#chronicle.lostAnswers?.push(this.#clock.now())
    plane.life.onDeath = () => {
      this.#chronicle.kills++
      this.#note('the server is killed')
      this.#plane = undefined
      const awayMs = this.#random.chance(0.2) ? 7 * minute : this.#random.between(200, 40_000)
      this.#clock.after(awayMs, () => this.#startPlane())
    }
  }

  /** Does something at random intervals, until the minutes with faults are over. */
  #plan(minMs: number, maxMs: number, act: () => void): void {
    this.#clock.after(this.#random.between(minMs, maxMs), () => {
      if (!this.#chaos) return
      act()
      this.#plan(minMs, maxMs, act)
    })
  }

  #strike(): void {
    const blows = [
      () => this.#plane?.life.dieAfter(this.#random.between(1, 60)),
      () => this.#plane?.life.dieAfter(this.#random.between(1, 60)),
      () => this.#loseAnswer(),
      () => this.#crashAgent(),
      () => this.#cutOffAgent(),
      () => this.#jump(this.#random.chance(0.1) ? 7 * minute : this.#random.between(-2000, 30_000)),
    ]
    this.#random.pick(blows)()
  }

  #loseAnswer(): void {
    this.#note('answers to COMMIT are lost')
    this.#plane?.life.loseAnswers(this.#random.between(1, 6))
  }

  #jump(ms: number): void {
    this.#note(`the clock leaps by ${ms} ms`)
    if (ms < 0) this.#clock.setWall(ms)
    else this.#clock.jump(ms)
  }

  #crashAgent(): void {
    const { agent, key } = this.#random.pick(this.#posts)
    agent.crash()
    this.#note(`an agent of ${key.location} crashes`)
    this.#clock.after(this.#random.between(500, 60_000), () => agent.start())
  }

  #cutOffAgent(): void {
    const post = this.#random.pick(this.#posts)
    const forMs = this.#random.between(1000, this.#random.chance(0.2) ? 8 * minute : 60_000)
    post.cutOff = true
    this.#note(`an agent of ${post.key.location} is cut off for ${forMs} ms`)
    this.#clock.after(forMs, () => {
      post.cutOff = false
    })
  }

  #note(event: string): void {
    this.#chronicle.events.push(`${new Date(this.#clock.now()).toISOString()} ${event}`)
  }

  #requestRun(): void {
    const check = this.#random.pick(this.#chronicle.checks)
    const plane = this.#plane
    plane?.dispatch.requestRun(check.id, 'SCHEDULE_NOW').then(
      (run) => this.#chronicle.requested.push(...(run?.resultIds ?? [])),
      (error: unknown) => this.#chronicle.errors.push(`A run could not be requested. ${String(error)}`),
    )
  }
}

/** An account with one channel that gets every alert. */
async function givenListener(db: Database): Promise<{ accountId: string; channelId: number }> {
  const accountId = randomUUID()
  await db.pool.query(
    `INSERT INTO accounts (id, name, alert_settings, default_locations, created_at) VALUES ($1, 'Simulated', '{}', '{}', now())`,
    [accountId],
  )
  const { rows } = await db.pool.query<{ id: number }>(
    `INSERT INTO alert_channels (account_id, type, config, secrets, send_recovery, send_failure, send_degraded, ssl_expiry,
       ssl_expiry_threshold, auto_subscribe, version, created_at)
     VALUES ($1, 'WEBHOOK', '{}', '{}', true, true, true, false, 30, false, 1, now()) RETURNING id`,
    [accountId],
  )
  return { accountId, channelId: rows[0]?.id ?? 0 }
}
