import type { CancelTimer, Clock } from '@vedette/wire'
import type { PoolClient } from 'pg'
import { insertSamples, storeSeenAgents, type WaitingRuns } from './sample-store.ts'
import type { SeenAgent } from './seen-agent.ts'

const minuteMs = 60_000

export interface LocationSamplerOptions {
  clock: Clock
  log: { error(details: object, text: string): void }
  /** Only the server that leads has the queue and hears of agents. */
  isLeading: () => boolean
  /** Runs a transaction that commits only while this server leads. */
  write: <T>(work: (client: PoolClient) => Promise<T>) => Promise<T>
  waiting: () => readonly WaitingRuns[]
  agents: () => readonly SeenAgent[]
}

/** Stores at every full minute how long the queues of private locations are and which agents were heard of. */
export class LocationSampler {
  readonly #options: LocationSamplerOptions
  #timer: CancelTimer | undefined
  #sampling: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(options: LocationSamplerOptions) {
    this.#options = options
  }

  start(): void {
    this.#arm()
  }

  /** Resolves after the sample that is being stored. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#timer?.()
    await this.#sampling
  }

  #arm(): void {
    if (this.#isStopped) return
    const { clock } = this.#options
    this.#timer = clock.after(minuteMs - (clock.now() % minuteMs), () => {
      this.#sampling = this.#sample().finally(() => this.#arm())
    })
  }

  async #sample(): Promise<void> {
    const { clock, log, isLeading, write, waiting, agents } = this.#options
    if (!isLeading()) return
    const at = new Date(Math.round(clock.now() / minuteMs) * minuteMs)
    try {
      await write(async (client) => {
        await insertSamples(client, at, waiting())
        await storeSeenAgents(client, agents())
      })
    } catch (error) {
      // The next leader goes on with it.
      if (isLeading()) log.error({ err: error }, 'The queues of private locations were not sampled this minute.')
    }
  }
}
