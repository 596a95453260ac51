import { randomUUID } from 'node:crypto'
import { checkTypeOf } from '@vedette/checks'
import type { CancelTimer, Clock, LocationId } from '@vedette/wire'
import { attemptId, sequenceId } from '@vedette/wire/ids'
import { tooManyRequests } from '../http/api-error.ts'
import type { RunQueue } from '../queue/run-queue.ts'
import type { IncomingResult, RunRef } from '../runs.ts'

/** Time for the way to the agent and back, on top of what the run itself may take. */
const travelMs = 20_000
const mostAtOnce = 50

export interface DryRunRequest {
  accountId: string
  /** Name of the check type. */
  type: string
  /** Complete and validated, secrets in the clear. */
  definition: Record<string, unknown>
  location: LocationId
}

interface DryRun {
  request: DryRunRequest
  name: string
  finish(result: IncomingResult | undefined): void
}

/** What a job of an unsaved check is made of. */
export interface DryRunJob {
  name: string
  definition: Record<string, unknown>
}

/**
 * Runs of checks that nobody saved. They go the way of all runs, through queue and agent, but live in memory only: their
 * result answers the one who asked and is stored nowhere.
 */
export class DryRuns {
  readonly #clock: Clock
  readonly #dryRuns = new Map<string, DryRun>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Resolves with what the agent reported; undefined when none answered in time. */
  async run(request: DryRunRequest, queue: RunQueue): Promise<IncomingResult | undefined> {
    const type = checkTypeOf(request.type)
    if (type?.mode.kind !== 'scheduled') return undefined
    if (this.#dryRuns.size >= mostAtOnce) throw tooManyRequests('Too many checks are being tried at this moment.', 5)
    const ref = this.#refOf(request, type.mode.workerClass)
    const answer = this.#wait(ref.attemptId, request, type.mode.timeoutMs(request.definition) + travelMs)
    await queue.enqueue([ref])
    const result = await answer
    await queue.settle([ref.attemptId])
    return result
  }

  job(attempt: string): DryRunJob | undefined {
    const dryRun = this.#dryRuns.get(attempt)
    return dryRun && { name: dryRun.name, definition: dryRun.request.definition }
  }

  /** Hands the report to the one who asked. */
  report(result: IncomingResult): void {
    this.#dryRuns.get(result.claims.attemptId)?.finish(result)
  }

  lost(attempt: string): void {
    this.#dryRuns.get(attempt)?.finish(undefined)
  }

  stop(): void {
    for (const dryRun of this.#dryRuns.values()) dryRun.finish(undefined)
  }

  #refOf({ accountId, type, location }: DryRunRequest, workerClass: RunRef['workerClass']): RunRef {
    const checkId = randomUUID()
    const dueAt = this.#clock.now()
    const sequence = sequenceId(checkId, dueAt, location)
    return {
      attemptId: attemptId(sequence, dueAt, 0),
      sequenceId: sequence,
      accountId,
      checkId,
      revision: 0,
      type: type as RunRef['type'],
      dueAt,
      location,
      workerClass,
      attempt: 0,
      source: 'EDITOR',
    }
  }

  #wait(attempt: string, request: DryRunRequest, limitMs: number): Promise<IncomingResult | undefined> {
    return new Promise((resolve) => {
      const finish = (result: IncomingResult | undefined): void => {
        cancel()
        this.#dryRuns.delete(attempt)
        resolve(result)
      }
      const cancel: CancelTimer = this.#clock.after(limitMs, () => finish(undefined))
      const { name } = request.definition
      this.#dryRuns.set(attempt, { request, name: typeof name === 'string' ? name : 'Unsaved check', finish })
    })
  }
}
