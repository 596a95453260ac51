import type { Diagnostics } from '@vedette/checks/net'
import { diagnosticsLimitMs, type Clock, type DiagnosticsRequest, type Job } from '@vedette/wire'
import type { Unreached } from '../execution/thread-messages.ts'
import type { Log } from '../log.ts'
import type { Connection } from '../protocol/connection.ts'
import type { ProtocolClient } from '../protocol/protocol-client.ts'
import { ProtocolProblem } from '../protocol/protocol-problem.ts'
import { sleep } from '../sleep.ts'

/** A check is looked into at most once in this time. */
const quietMs = 5 * 60_000
/** In a mass outage only some of the checks are looked into: those at once, and those that wait for it. */
const mostAtOnce = 4
const mostWaiting = 50
/** A look that begins later would not be told in time. */
const latestStartMs = 20_000
/** Packets are heard of within a second after they came. */
const captureAfterMs = 2000
const retryMs = 2000

export interface DiagnosisOptions {
  agentId: string
  diagnostics: Diagnostics
  client: Pick<ProtocolClient, 'diagnostics'>
  connection: Pick<Connection, 'session'>
  clock: Clock
  log: Log
}

/** A run that did not reach its target. */
export interface FailedRun extends Unreached {
  job: Pick<Job, 'checkId' | 'lease'>
}

interface Waiting extends FailedRun {
  /** Monotonic time at which it ended. */
  at: number
}

/** Looks into network trouble of runs whose result is on its way, and tells the server what it found. No result waits for it. */
export class Diagnosis {
  readonly #options: DiagnosisOptions
  readonly #stop = new AbortController()
  /** When each check was looked into, oldest first. */
  readonly #lookedAt = new Map<string, number>()
  #waiting: Waiting[] = []
  readonly #active = new Set<Promise<void>>()

  constructor(options: DiagnosisOptions) {
    this.#options = options
  }

  /** Looks into a run that just ended, if it may. */
  add(run: FailedRun): void {
    const { clock, diagnostics } = this.#options
    const at = clock.monotonic()
    this.#forget(at)
    if (diagnostics.capabilities.length === 0 || this.#lookedAt.has(run.job.checkId)) return
    if (this.#waiting.length >= mostWaiting) return
    this.#lookedAt.set(run.job.checkId, at)
    this.#waiting.push({ ...run, at })
    this.#next()
  }

  /** What is not told by now is not told any more. */
  async stop(): Promise<void> {
    this.#stop.abort()
    this.#waiting = []
    await Promise.all(this.#active)
    this.#options.diagnostics.close()
  }

  #forget(now: number): void {
    for (const [checkId, at] of this.#lookedAt) {
      if (now - at < quietMs) return
      this.#lookedAt.delete(checkId)
    }
  }

  #next(): void {
    while (this.#active.size < mostAtOnce && !this.#stop.signal.aborted) {
      const run = this.#waiting.shift()
      if (run === undefined) return
      if (this.#options.clock.monotonic() - run.at > latestStartMs) {
        this.#lookedAt.delete(run.job.checkId)
        continue
      }
      const look = this.#look(run).finally(() => {
        this.#active.delete(look)
        this.#next()
      })
      this.#active.add(look)
    }
  }

  async #look(run: Waiting): Promise<void> {
    const { log } = this.#options
    try {
      const found = await this.#findings(run)
      if (found !== undefined) await this.#tell(run, found)
    } catch (error) {
      log.error({ error, checkId: run.job.checkId }, 'network trouble of a check could not be looked into')
    }
  }

  async #findings({ job, contacts, endedAt }: FailedRun): Promise<DiagnosticsRequest | undefined> {
    const { agentId, diagnostics, clock } = this.#options
    const { signal } = this.#stop
    const last = contacts.at(-1)
    if (last === undefined) return undefined
    const [traceroute, capture] = await Promise.all([
      diagnostics.traceroute(last),
      sleep(clock, captureAfterMs, signal).then(() => diagnostics.packetsOf(contacts, endedAt)),
    ])
    if ((traceroute === undefined && capture === undefined) || signal.aborted) return undefined
    return {
      agentId,
      lease: job.lease,
      ...(traceroute && { traceroute }),
      ...(capture && { capture: capture.toString('base64') }),
    }
  }

  /** Tries until the server has it or says that it does not take it, or time is up. */
  async #tell({ at, job }: Waiting, found: DiagnosticsRequest): Promise<void> {
    const { client, connection, clock, log } = this.#options
    const { signal } = this.#stop
    while (!signal.aborted && clock.monotonic() - at < diagnosticsLimitMs) {
      const { session } = connection
      try {
        if (session !== undefined) return await client.diagnostics(found, [signal, session.silent])
      } catch (error) {
        if (!(error instanceof ProtocolProblem)) throw error
        if (error.kind === 'rejected' || error.kind === 'denied') {
          log.debug({ checkId: job.checkId, error }, 'the server does not take what was found out about a failure')
          return
        }
      }
      await sleep(clock, retryMs, signal)
    }
  }
}
