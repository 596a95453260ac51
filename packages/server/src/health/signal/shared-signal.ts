import type { CancelTimer, Clock } from '@vedette/wire'
import type { Database, Queryable } from '../../db/database.ts'
import { TermOver } from '../../runs.ts'
import type { HealthLook } from '../health-watch.ts'
import { within } from '../within.ts'
import { healthReport, reportOf, type HealthReport } from './health-report.ts'
import { readReport, writeReport } from './store.ts'

export interface SharedSignalOptions {
  db: Database
  clock: Clock
  /** Name of this host. */
  host: string
  /** The last look of this process. */
  own: () => HealthLook | undefined
  /** A transaction that is stored only while this process leads. */
  write: (work: (client: Queryable) => Promise<void>) => Promise<void>
  log: { warn(details: object, text: string): void }
}

/** What the server that leads has said of the installation. */
export interface LeaderReport {
  /** Name of its host. */
  host: string
  report: HealthReport
}

const everyMs = 5_000
const answerMs = 4_000
/** A leader that has said nothing for this long is not known to be well. */
const outdatedMs = 20_000

/**
 * Passes what the leader knows to the servers that stand by, through the database: it alone knows schedule, queue and
 * agents. Does nothing on the embedded database, which has one server.
 */
export class SharedSignal {
  /** Name of this host. */
  readonly host: string
  readonly #options: SharedSignalOptions
  #timer: CancelTimer | undefined
  #passing: Promise<void> = Promise.resolve()
  #running = false
  #failing = false
  #heard: (LeaderReport & { at: number; ageMs: number }) | undefined

  constructor(options: SharedSignalOptions) {
    this.#options = options
    this.host = options.host
  }

  /** Resolves after the first exchange. */
  async start(): Promise<void> {
    if (this.#options.db.peers === undefined) return
    this.#running = true
    await this.#next()
  }

  async stop(): Promise<void> {
    this.#running = false
    this.#timer?.()
    await this.#passing
  }

  /** What the leader said last; undefined when that is too old. */
  leader(): LeaderReport | undefined {
    const heard = this.#heard
    if (heard === undefined) return undefined
    const ageMs = heard.ageMs + this.#options.clock.monotonic() - heard.at
    return ageMs > outdatedMs ? undefined : heard
  }

  #next(): Promise<void> {
    this.#passing = this.#pass().finally(() => {
      if (this.#running) this.#timer = this.#options.clock.after(everyMs, () => void this.#next())
    })
    return this.#passing
  }

  async #pass(): Promise<void> {
    const { own, clock, log } = this.#options
    const look = own()
    try {
      const work = look?.facts.leading ? this.#say(look) : this.#hear()
      await within(clock, answerMs, 'Passing the health of Vedette on', work)
      this.#failing = false
    } catch (error) {
      // What is not passed on becomes outdated at the others, and they say so.
      if (!this.#failing && !(error instanceof TermOver))
        log.warn({ err: error }, 'The health of Vedette could not be passed between servers; trying again.')
      this.#failing = true
    }
  }

  async #say(look: HealthLook): Promise<void> {
    const { write } = this.#options
    await write((client) => writeReport(client, this.host, reportOf(look)))
  }

  async #hear(): Promise<void> {
    const { db, clock } = this.#options
    const stored = await readReport(db.pool)
    if (stored === undefined) return
    const read = healthReport.safeParse(stored.report)
    const { host, age_ms } = stored
    // A clock that was set back must not make an old report look new.
    if (read.success) this.#heard = { host, report: read.data, at: clock.monotonic(), ageMs: Math.abs(age_ms) }
  }
}
