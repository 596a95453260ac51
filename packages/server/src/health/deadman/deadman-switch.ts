import type { EgressPolicy } from '@vedette/checks'
import type { CancelTimer, Clock } from '@vedette/wire'
import { requestGuarded } from '../../alerting/index.ts'
import type { HealthFacts } from '../facts/facts.ts'
import type { HealthLook } from '../health-watch.ts'

const everyMs = 60_000
const limitMs = 10_000

export interface DeadmanOptions {
  url: string
  clock: Clock
  look: () => HealthLook | undefined
  egress: () => EgressPolicy
  log: { warn(details: object, text: string): void }
}

/**
 * Calls an outside monitor each minute while Vedette works. Only the leader does. No redirect is followed and nothing is
 * tried again within the minute: the monitor has its own patience.
 */
export class DeadmanSwitch {
  readonly #options: DeadmanOptions
  #timer: CancelTimer | undefined
  #pinging: Promise<void> = Promise.resolve()
  readonly #stopping = new AbortController()
  #wasIdle = true
  #failing: { since: number; reason: string } | undefined
  #accepted = false

  constructor(options: DeadmanOptions) {
    this.#options = options
  }

  start(): void {
    this.#timer = this.#options.clock.after(everyMs, () => {
      this.#pinging = this.#minute().finally(() => {
        if (!this.#stopping.signal.aborted) this.start()
      })
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#timer?.()
    await this.#pinging
  }

  /** Whether the monitor took the last call, or for how long it has not; neither before the first. */
  condition(): NonNullable<HealthFacts['deadman']> {
    const failing = this.#failing
    if (failing === undefined) return { accepted: this.#accepted, failingMs: 0, reason: null }
    return { accepted: false, failingMs: this.#options.clock.monotonic() - failing.since, reason: failing.reason }
  }

  async #minute(): Promise<void> {
    const look = this.#options.look()
    if (look === undefined) return
    const advanced = hasAdvanced(look, this.#wasIdle)
    this.#wasIdle = isIdle(look.facts)
    if (advanced) await this.#ping()
  }

  async #ping(): Promise<void> {
    const { url, clock, egress, log } = this.#options
    const over = new AbortController()
    const cancel = clock.after(limitMs, () => over.abort())
    const signal = AbortSignal.any([over.signal, this.#stopping.signal])
    const request = { url: new URL(url), method: 'GET', headers: { 'user-agent': 'Vedette' }, body: undefined }
    try {
      const { status } = await requestGuarded(request, { egress: egress(), signal, limitMs })
      if (status < 200 || status >= 300) throw new Error(`It answered ${status}.`)
      this.#failing = undefined
      this.#accepted = true
    } catch (error) {
      const reason = over.signal.aborted ? `No answer within ${limitMs / 1000} s.` : String((error as Error).message)
      this.#failing = { since: this.#failing?.since ?? clock.monotonic(), reason }
      log.warn({ reason }, 'The monitor at VEDETTE_DEADMAN_URL did not accept the call.')
    } finally {
      cancel()
    }
  }
}

/**
 * Whether schedule, agents, storing and notifications all went on in the last minute, or had nothing to do. `wasIdle`: a
 * minute ago no run was waiting or under way, so that a run of now may still be without result.
 */
export function hasAdvanced({ facts, ready }: HealthLook, wasIdle: boolean): boolean {
  const { leading, schedule, leaseAgeMs, ingest, deliveryRoundMs } = facts
  const isRecent = (ageMs: number | null) => ageMs !== null && ageMs <= everyMs
  const nothingDue = schedule.firstDueInMs === null || schedule.firstDueInMs > 0
  const ticks = isRecent(schedule.tickAgeMs) || nothingDue
  const leases = isRecent(leaseAgeMs) || schedule.checks === 0
  const stores = ingest.failingMs === null && (isRecent(ingest.commitAgeMs) || wasIdle || isIdle(facts))
  return ready && leading && ticks && leases && stores && isRecent(deliveryRoundMs)
}

const isIdle = ({ queue }: HealthFacts): boolean => queue.waiting + queue.leased === 0
