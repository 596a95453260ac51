import type { CancelTimer, Clock } from '@vedette/wire'
import type { ThreadReport } from './thread-messages.ts'

/** Reports that may wait are sent at the next full second, those of all threads together, or when there are so many. */
const togetherMs = 1000
const mostTogether = 40

/** Collects reports that may wait, and sends them with the first one that may not. */
export class ReportsTogether {
  readonly #clock: Clock
  readonly #send: (reports: readonly ThreadReport[]) => void
  #waiting: ThreadReport[] = []
  #cancel: CancelTimer | undefined
  #isInHurry = false

  /** `clock`: its monotonic time is that of all threads. */
  constructor(clock: Clock, send: (reports: readonly ThreadReport[]) => void) {
    this.#clock = clock
    this.#send = send
  }

  add(report: ThreadReport, mayWait: boolean): void {
    this.#waiting.push(report)
    if (!mayWait || this.#isInHurry || this.#waiting.length >= mostTogether) this.#flush()
    else this.#cancel ??= this.#clock.after(togetherMs - (this.#clock.monotonic() % togetherMs), () => this.#flush())
  }

  /** From now on no report waits. */
  hurry(): void {
    this.#isInHurry = true
    this.#flush()
  }

  #flush(): void {
    this.#cancel?.()
    this.#cancel = undefined
    if (this.#waiting.length > 0) this.#send(this.#waiting.splice(0))
  }
}
