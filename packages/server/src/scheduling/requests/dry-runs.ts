import { randomUUID } from 'node:crypto'
import { checkTypeOf, runModeOf } from '@vedette/checks'
import type { Clock } from '@vedette/wire'
import { attemptId, sequenceId } from '@vedette/wire/ids'
import { tooManyRequests, unavailable } from '../../api-error.ts'
import type { RunQueue } from '../../queue/run-queue.ts'
import type { Draft, DryRunRequest, IncomingResult, RunRef } from '../../runs.ts'
import type { RunLedger } from '../run-ledger.ts'

/** Time to reach the agent and back, on top of the timeout of the run. */
const travelMs = 20_000
const mostAtOnce = 50

export interface DryRunsOptions {
  clock: Clock
  queue: Pick<RunQueue, 'enqueue'>
  ledger: Pick<RunLedger, 'begin' | 'end'>
  isLeading: () => boolean
}

/** Dry runs are queued and leased as all runs are, but their result is returned to the caller. */
export class DryRuns {
  readonly #options: DryRunsOptions
  /** Functions that end the wait for each dry run. */
  readonly #open = new Map<string, () => void>()

  constructor(options: DryRunsOptions) {
    this.#options = options
  }

  /** Resolves with the agent's report; undefined when none answered in time. */
  async run(request: DryRunRequest): Promise<IncomingResult | undefined> {
    if (!this.#options.isLeading()) throw unavailable('Another server hands out runs at this moment.', 1)
    const mode = runModeOf(checkTypeOf(request.type))
    if (mode === undefined) return undefined
    if (this.#open.size >= mostAtOnce) throw tooManyRequests('Too many checks are being tried at this moment.', 5)
    const ref = this.#refOf(request, mode.workerClass)
    const answer = this.#begin(ref, draftOf(request), mode.timeoutMs(request.definition) + travelMs)
    await this.#options.queue.enqueue([ref], 'urgent')
    return answer
  }

  stop(): void {
    for (const end of this.#open.values()) end()
  }

  #refOf({ accountId, type, location }: DryRunRequest, workerClass: RunRef['workerClass']): RunRef {
    const checkId = randomUUID()
    const dueAt = this.#options.clock.now()
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

  #begin(ref: RunRef, draft: Draft, limitMs: number): Promise<IncomingResult | undefined> {
    const { clock, ledger } = this.#options
    return new Promise((resolve) => {
      const send = (result: IncomingResult | undefined): void => {
        cancel()
        this.#open.delete(ref.attemptId)
        ledger.end([ref.attemptId])
        resolve(result)
      }
      const cancel = clock.after(limitMs, () => send(undefined))
      this.#open.set(ref.attemptId, () => send(undefined))
      ledger.begin(ref, { runParallel: false, isTick: false, destination: { draft, send } })
    })
  }
}

const draftOf = ({ definition }: DryRunRequest): Draft => ({
  name: typeof definition.name === 'string' ? definition.name : 'Unsaved check',
  definition,
})
