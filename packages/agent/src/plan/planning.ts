import type { Clock, Job, PlannedCheck } from '@vedette/wire'
import { sealingKeys } from '@vedette/wire/sealing'
import type { Capacity } from '../execution/capacity.ts'
import type { FinishedRun } from '../delivery/report-text.ts'
import type { Execution } from '../execution/probe-pool.ts'
import type { Log } from '../log.ts'
import type { Connection } from '../protocol/connection.ts'
import type { ProtocolClient } from '../protocol/protocol-client.ts'
import { OwnRetries } from './own-retries.ts'
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
  /** Runs a job. False when the agent has that attempt already. */
  take: (job: Job) => boolean
  deliver: (run: FinishedRun) => void
}

/** The plan of the agent's location: kept as new as the server's, and run while no server answers. */
export class Planning {
  readonly #options: PlanningOptions
  /** In memory alone: a plan does not outlive the process. */
  readonly #keys = sealingKeys()
  readonly #schedule: OwnSchedule
  readonly #retries: OwnRetries

  constructor(options: PlanningOptions) {
    const { client, connection, clock, log, pool, capacities, take, deliver } = options
    this.#options = options
    const shared = {
      clock,
      log,
      clockOffset: () => client.offset.current(),
      hasRoom: (check: PlannedCheck) =>
        capacities.some(({ workerClass, free }) => workerClass === check.workerClass && free > 0),
    }
    this.#retries = new OwnRetries({
      ...shared,
      keys: this.#keys,
      isServerThere: () => connection.session !== undefined,
      hasPlan: () => this.#schedule.plan !== undefined,
      submit: take,
      deliver,
    })
    this.#schedule = new OwnSchedule({
      ...shared,
      connection,
      running: () => new Set([...pool.jobs().map(({ checkId }) => checkId), ...this.#retries.waiting()]),
      begin: (slot) => this.#retries.begin(slot),
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
    this.#retries.stop()
  }

  /** Whether the plan began this attempt, and it is under way. */
  hasBegun(attemptId: string): boolean {
    return this.#retries.hasBegun(attemptId)
  }

  /** Attempts that ended and wait for those that follow. */
  held(): FinishedRun[] {
    return this.#retries.held()
  }

  /** An attempt has ended, of the plan or not: its report is delivered, or waits for the next attempt. */
  ended(job: Job, finished: FinishedRun | undefined): void {
    this.#retries.ended(job, finished)
  }
}
