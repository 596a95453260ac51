import type { Clock } from '@vedette/wire'
import type { DeliveringKind, ToldFile } from '../../../src/alerting/index.ts'
import type { Database } from '../../../src/db/database.ts'
import { databaseAtTimeOf } from '../../database-time.ts'
import type { DiskSpace } from '../../../src/health/facts/disk-space.ts'
import type { Chronicle } from '../chronicle.ts'
import type { Life, Traffic } from '../mortal.ts'
import type { TestClock } from '../../clock.ts'
import type { AgentRoutes } from './agent-routes.ts'
import type { DatabaseFaults } from './fallible-database.ts'
import { HostClock } from './host-clock.ts'
import { startServer, type SimulatedServer } from './simulated-server.ts'

export interface ServerHostOptions {
  name: string
  db: Database
  faults: DatabaseFaults
  clock: TestClock
  traffic: Traffic
  routes: AgentRoutes
  channel: (clock: Clock) => DeliveringKind
  chronicle: Chronicle
  diskSpace: () => Promise<DiskSpace>
  /** How long agents keep the schedule while no server answers. */
  planKeptMs: number
  /** It led, and was killed or paused. */
  onLeaderLost: () => void
  note: (event: string) => void
}

/** The host of a server: its clock and address outlive the server's process. */
export class ServerHost {
  readonly clock: HostClock
  readonly #options: ServerHostOptions
  readonly #told = toldInMemory()
  #server: SimulatedServer | undefined
  #lives = 0
  #downMs = 0
  #pausedMs = 0

  constructor(options: ServerHostOptions) {
    this.#options = options
    this.clock = new HostClock(options.clock)
  }

  get name(): string {
    return this.#options.name
  }

  get server(): SimulatedServer | undefined {
    return this.#server
  }

  get routes(): AgentRoutes {
    return this.#options.routes
  }

  get life(): Life | undefined {
    return this.#server?.life
  }

  get isLeading(): boolean {
    return this.#server?.life.running === true && this.#server.dispatch.isLeading()
  }

  start(): void {
    if (this.#server !== undefined) return
    const { name, db, faults, clock, traffic, routes, channel, chronicle, diskSpace, planKeptMs, note } = this.#options
    const log = {
      info: (text: string) => note(`${name}: ${text}`),
      warn: (_: object, text: string) => note(`${name}: ${text}`),
      error: (details: { err?: unknown }, text: string) => {
        chronicle.errors.push(`${text} ${String(details.err)}`)
        note(`${name}: ${text} ${details.err instanceof Error ? details.err.message : JSON.stringify(details)}`)
      },
    }
    const holder = `${name} ${++this.#lives}`
    // PostgreSQL runs on a host of its own.
    const timed = databaseAtTimeOf(db, db.kind === 'embedded' ? this.clock : clock)
    const about = { traffic, routes, holder, channel, diskSpace, planKeptMs, told: this.#told, log }
    const server = startServer({ db: timed, faults, clock: this.clock, ...about })
    this.#server = server
    note(`${name} starts`)
    server.life.onLostAnswer = () => void chronicle.lostAnswers?.push(this.clock.now())
    const lost = () => {
      if (server.dispatch.isLeading()) this.#options.onLeaderLost()
    }
    server.life.onPause = () => {
      lost()
      note(`${name} is paused`)
      clock.after(this.#pausedMs, () => {
        if (server.life.alive) note(`${name} goes on`)
        server.life.resume()
      })
    }
    server.life.onDeath = () => {
      lost()
      chronicle.kills++
      note(`${name} is killed`)
      this.#server = undefined
      clock.after(this.#downMs, () => this.start())
    }
  }

  /** Is killed at its n-th call to the database from now, and starts again `forMs` later. */
  kill(afterCalls: number, forMs: number): void {
    this.#downMs = forMs
    if (afterCalls === 0) this.life?.die()
    else this.life?.dieAfter(afterCalls)
  }

  /** Is paused at its n-th call to the database from now. */
  pause(afterCalls: number, forMs: number): void {
    this.#pausedMs = forMs
    if (afterCalls === 0) this.life?.pause()
    else this.life?.pauseAfter(afterCalls)
  }

  /** Nothing more is to happen to it. */
  heal(): void {
    this.#downMs = 0
    this.life?.dieAfter(Infinity)
    this.life?.pauseAfter(Infinity)
    this.life?.loseAnswers(0)
    this.life?.resume()
    this.start()
  }
}

/** A file of the host, in memory: it outlives the server's process. */
function toldInMemory(): ToldFile {
  let text: string | undefined
  return {
    load: () =>
      Promise.resolve(text === undefined ? undefined : (JSON.parse(text) as Awaited<ReturnType<ToldFile['load']>>)),
    save(told) {
      text = JSON.stringify(told)
      return Promise.resolve()
    },
  }
}
