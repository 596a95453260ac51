import type { CancelTimer, Clock } from '@vedette/wire'
import type { SystemAlerts } from '../alerting/index.ts'
import type { Trouble } from '../trouble.ts'
import type { FactCollector } from './facts/collect-facts.ts'
import type { HealthFacts } from './facts/facts.ts'
import { endOf } from './troubles/trouble-ends.ts'
import { isReady, troublesOf } from './troubles/troubles.ts'

/** What a look at the installation found. */
export interface HealthLook {
  facts: HealthFacts
  troubles: readonly Trouble[]
  /** False while nothing can be watched or told. */
  ready: boolean
}

export interface HealthWatchOptions {
  clock: Clock
  collector: Pick<FactCollector, 'collect'>
  alerts: Pick<SystemAlerts, 'look' | 'wasSuspended'>
  /** Before each look, while the database answers: what is needed when it does not any more. */
  prepare: () => Promise<void>
  /** Something came up or is over. */
  onChange: () => void
  log: { error(details: object, text: string): void }
}

const everyMs = 5_000
const suspendedMs = 30_000
/** Without a look for this long the signal says nothing. */
const outdatedMs = 60_000
/** A look for due notifications this old means that the outbox does not work. */
const outboxMs = 30_000
/** Without a leader for this long, servers that never led tell that: they may be all there are. */
const leaderlessMs = 60_000

/** Looks at the installation every few seconds: the one signal of readiness, metrics, web app and alerts. */
export class HealthWatch {
  readonly #options: HealthWatchOptions
  #latest: { look: HealthLook; at: number } | undefined
  #timer: CancelTimer | undefined
  #looking: Promise<void> = Promise.resolve()
  #running = false
  /** This process led, and no other has been seen to lead since. */
  #led = false

  constructor(options: HealthWatchOptions) {
    this.#options = options
  }

  /** Resolves after the first look. */
  async start(): Promise<void> {
    this.#running = true
    await this.#next()
  }

  async stop(): Promise<void> {
    this.#running = false
    this.#timer?.()
    await this.#looking
  }

  /** The last look; undefined when there was none for a while. */
  latest(): HealthLook | undefined {
    const latest = this.#latest
    if (latest === undefined || this.#options.clock.monotonic() - latest.at > outdatedMs) return undefined
    return latest.look
  }

  #next(): Promise<void> {
    this.#looking = this.#look()
      .catch((error: unknown) =>
        this.#options.log.error({ err: error }, 'The health of Vedette could not be determined.'),
      )
      .finally(() => {
        if (this.#running) this.#timer = this.#options.clock.after(everyMs, () => void this.#next())
      })
    return this.#looking
  }

  async #look(): Promise<void> {
    const { collector, clock, alerts, onChange } = this.#options
    if (this.#latest && clock.monotonic() - this.#latest.at > suspendedMs) alerts.wasSuspended()
    const facts = await collector.collect()
    const troubles = troublesOf(facts)
    const before = this.#latest?.look
    const look = { facts, troubles, ready: isReady(troubles) }
    this.#latest = { look, at: clock.monotonic() }
    if (keysOf(before) !== keysOf(look)) onChange()
    await this.#tell(look)
  }

  async #tell({ facts, troubles }: HealthLook): Promise<void> {
    const { alerts, prepare, log } = this.#options
    const { leading, otherLeads } = facts
    const { answers } = facts.database
    if (leading) this.#led = true
    else if (otherLeads) this.#led = false
    if (answers) {
      await prepare().catch((error: unknown) =>
        log.error({ err: error }, 'The channels for an emergency could not be read.'),
      )
    }
    // On a full disk a row may still be stored and can then not be claimed.
    const outboxWorks = facts.deliveryRoundMs < outboxMs && facts.ingest.failingMs === null
    await alerts.look({
      troubles,
      endOf: (trouble) => endOf(facts, trouble),
      mayTell: leading || (this.#led && !otherLeads) || isLeaderless(facts),
      answers,
      leading,
      outboxWorks,
    })
  }
}

/** A server that cannot read the leases does not know who leads. */
const isLeaderless = (facts: HealthFacts): boolean =>
  facts.database.answers && !facts.leading && !facts.otherLeads && facts.leaderlessMs >= leaderlessMs

const keysOf = (look: HealthLook | undefined): string => look?.troubles.map(({ key }) => key).join('\n') ?? ''
