import { handedOutAheadMs, type CancelTimer, type Clock } from '@vedette/wire'

/** A job may start so much after it is due, so that those due within this time start together and cost one wake-up. */
const togetherMs = 25
/**
 * So many start together at most, and the next ones so much later. Utilization shows the load of a start only
 * afterwards: a burst of handshakes would spoil all their timings.
 */
const mostTogether = 8
const nextStartsMs = 12
/** No job waits longer for its time, whatever the clocks say. */
const longestWaitMs = 2 * handedOutAheadMs
/** A job so late is not started any more: whoever gave it has taken it back by then, or does so now. */
const tooLateMs = 60_000
/** A line that is busy looks again after this time. */
const lookAgainMs = 6

/** A job with its due time, in epoch milliseconds of the server. */
interface Due {
  job: { dueAt: number }
}

export interface StartLineOptions<T extends Due> {
  clock: Clock
  start: (item: T) => void
  /** Whether one more start would spoil the timings of what runs. */
  isBusy: () => boolean
}

/** Jobs that were handed out before they are due. Each starts at its time, those that are due at once, and none a minute late. */
export class StartLine<T extends Due> {
  readonly #options: StartLineOptions<T>
  /** In the order of `at`, the monotonic time at which the job is due. */
  #waiting: { item: T; at: number }[] = []
  #timer: { at: number; cancel: CancelTimer } | undefined
  #starts = { since: Number.NEGATIVE_INFINITY, count: 0 }

  constructor(options: StartLineOptions<T>) {
    this.#options = options
  }

  /** `clockOffsetMs`: server time minus the time of the clock. */
  add(items: readonly T[], clockOffsetMs: number): void {
    const { clock } = this.#options
    const now = clock.monotonic()
    const serverNow = clock.now() + clockOffsetMs
    const added = items.map((item) => ({ item, at: now + waitMs(item.job.dueAt, serverNow) }))
    this.#waiting = [...this.#waiting, ...added].toSorted((one, other) => one.at - other.at)
    this.#startDue()
  }

  #startDue(): void {
    const { clock, start, isBusy } = this.#options
    const now = clock.monotonic()
    if (now - this.#starts.since >= nextStartsMs) this.#starts = { since: now, count: 0 }
    while (this.#isFirstDue(now) && this.#starts.count < mostTogether && !isBusy()) {
      const first = this.#waiting.shift()
      if (first === undefined || now - first.at > tooLateMs) continue
      this.#starts.count += 1
      start(first.item)
    }
    this.#arm(now)
  }

  #isFirstDue(now: number): boolean {
    const first = this.#waiting[0]
    return first !== undefined && first.at <= now
  }

  #arm(now: number): void {
    const at = this.#nextStart(now)
    if (at === this.#timer?.at) return
    this.#timer?.cancel()
    this.#timer = undefined
    if (at === undefined) return
    const { clock } = this.#options
    const cancel = clock.after(at - clock.monotonic(), () => {
      this.#timer = undefined
      this.#startDue()
    })
    this.#timer = { at, cancel }
  }

  /** When the last of those is due that start together with the first one. */
  #nextStart(now: number): number | undefined {
    const first = this.#waiting[0]
    if (first === undefined) return undefined
    if (first.at > now) return this.#waiting[countTogether(this.#waiting) - 1]?.at
    return this.#starts.count < mostTogether ? now + lookAgainMs : this.#starts.since + nextStartsMs
  }
}

/** How many of the first ones start together, of jobs in the order of `at`, the time at which each is due. */
export function countTogether(jobs: readonly { at: number }[]): number {
  const last = (jobs[0]?.at ?? 0) + togetherMs
  const later = jobs.slice(0, mostTogether).findIndex(({ at }) => at > last)
  return later < 0 ? Math.min(jobs.length, mostTogether) : later
}

/** How long a job that is due at `dueAt` waits for its time. */
export const waitMs = (dueAt: number, serverNow: number): number =>
  Math.min(Math.max(dueAt - serverNow, 0), longestWaitMs)
