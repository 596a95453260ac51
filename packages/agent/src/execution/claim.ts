import { sharedClock } from './shared-clock.ts'

const bytesEach = 16
const states = { waiting: 0, started: 1, takenBack: 2 }

/** Memory for the claims of so many jobs, which travel to a probe thread together. */
export const claimsFor = (jobs: number): SharedArrayBuffer => new SharedArrayBuffer(jobs * bytesEach)

/**
 * Who has a job that was given to a probe thread before its time: either the thread starts it or the main thread takes
 * it back, never both. It is memory that both see, so that a start needs no message and taking back no answer.
 */
export class Claim {
  readonly #startedAt: Float64Array
  readonly #state: Int32Array

  /** `index`: the place of the job in the message that carries `memory`. */
  constructor(memory: SharedArrayBuffer, index: number) {
    this.#startedAt = new Float64Array(memory, index * bytesEach, 1)
    this.#state = new Int32Array(memory, index * bytesEach + 8, 1)
  }

  /** For the probe thread. False when the job was taken back: then it must not run. */
  start(): boolean {
    this.#startedAt[0] = sharedClock.monotonic()
    return this.#leaveWaiting(states.started)
  }

  /** For the main thread. False when the job has started. */
  takeBack(): boolean {
    return this.#leaveWaiting(states.takenBack)
  }

  get isWaiting(): boolean {
    return Atomics.load(this.#state, 0) === states.waiting
  }

  /** How long ago the thread started the job, in milliseconds; undefined while it waits for its time. */
  runsForMs(): number | undefined {
    if (Atomics.load(this.#state, 0) !== states.started) return undefined
    return sharedClock.monotonic() - (this.#startedAt[0] ?? 0)
  }

  #leaveWaiting(to: number): boolean {
    return Atomics.compareExchange(this.#state, 0, states.waiting, to) === states.waiting
  }
}
