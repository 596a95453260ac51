import type { Clock, Job } from '@vedette/wire'
import { sealingKeys } from '@vedette/wire/sealing'
import type { Capacity } from '../execution/capacity.ts'
import type { Execution } from '../execution/probe-pool.ts'
import type { Log } from '../log.ts'
import type { Connection } from '../protocol/connection.ts'
import type { ProtocolClient } from '../protocol/protocol-client.ts'
import { OwnSchedule } from './own-schedule.ts'
import { followPlan } from './plan-loop.ts'

export interface PlanningOptions {
  agentId: string
  client: ProtocolClient
  connection: Connection
  clock: Clock
  log: Log
  pool: Pick<Execution, 'jobs'>
  capacities: readonly Capacity[]
  take: (jobs: readonly Job[]) => void
}

/** The plan of the agent's location: kept as new as the server's, and run while no server answers. */
export class Planning {
  readonly #options: PlanningOptions
  /** In memory alone: a plan does not outlive the process. */
  readonly #keys = sealingKeys()
  readonly #schedule: OwnSchedule
  /** Attempts that the plan began, as long as the agent holds them. */
  readonly #begun = new Set<string>()

  constructor(options: PlanningOptions) {
    const { client, connection, clock, log, pool, capacities, take } = options
    this.#options = options
    this.#schedule = new OwnSchedule({
      keys: this.#keys,
      connection,
      clock,
      log,
      clockOffset: () => client.offset.current(),
      running: () => new Set(pool.jobs().map(({ checkId }) => checkId)),
      hasRoom: (check) => capacities.some(({ workerClass, free }) => workerClass === check.workerClass && free > 0),
      submit: (job) => {
        this.#begun.add(job.attemptId)
        take([job])
      },
    })
  }

  /** Checks of the plan. */
  get checks(): number {
    return this.#schedule.plan?.checks.length ?? 0
  }

  get isActive(): boolean {
    return this.#schedule.isActive
  }

  /** Asks for the plan until the signal aborts. */
  follow(signal: AbortSignal): Promise<void> {
    const { agentId, client, connection, clock, log } = this.#options
    return followPlan({
      agentId,
      publicKey: this.#keys.publicKey,
      client,
      connection,
      clock,
      log,
      signal,
      current: () => this.#schedule.plan,
      replace: (plan) => this.#schedule.replace(plan),
    })
  }

  start(): void {
    this.#schedule.start()
  }

  stop(): void {
    this.#schedule.stop()
  }

  hasBegun(attemptId: string): boolean {
    return this.#begun.has(attemptId)
  }

  keepOnly(attemptIds: readonly string[]): void {
    const held = new Set(attemptIds)
    for (const attemptId of this.#begun) if (!held.has(attemptId)) this.#begun.delete(attemptId)
  }
}
