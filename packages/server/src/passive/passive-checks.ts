import type { PassiveEvent } from '@vedette/checks'
import { mostAheadMs, type CancelTimer, type Clock } from '@vedette/wire'
import type { Queryable } from '../db/database.ts'
import { TermOver, type IncomingResult, type ResultSink } from '../runs.ts'
import { leapMs, longestSleepMs, sleptMs, wallOffset } from '../scheduling/clock-leap.ts'
import type { SchedulingLog } from '../scheduling/scheduling-log.ts'
import type { LeaderTerm, TermPart } from '../scheduling/leadership/term-part.ts'
import type { Gap } from '../scheduling/store.ts'
import { brokenMs, decideCheck, notDecided, type Decided } from './decide-check.ts'
import { checkLoader, problemOf, type CheckLoader, type CheckLoaderOptions, type LoadedCheck } from './load-checks.ts'
import { LookAgenda } from './look-agenda.ts'
import { lockProgress, readEvents, readInstallationGaps, shiftBack, writeDecided, type Progress } from './store.ts'

/** Checks decided in one transaction. */
const batchSize = 100
/** Events of one check in one decision. */
const mostEvents = 100
const retryMs = 1000
/** When so many events arrive during a decision, deciding rests three times as long as it took: senders wait, nobody else. */
const manyEvents = 50
const restFactor = 3
const longestRestMs = 2000

export interface PassiveChecksOptions extends CheckLoaderOptions {
  clock: Clock
  ingest: Pick<ResultSink, 'accept'>
  log: SchedulingLog
}

/**
 * Decides about passive checks while this process leads: when an event has arrived, and when a deadline passes.
 * Decisions follow from stored events and the last stored result, and results have deterministic ids: deciding again,
 * for example after a crash, gives the same results.
 */
export class PassiveChecks implements TermPart {
  readonly #options: PassiveChecksOptions
  readonly #loader: CheckLoader
  readonly #agenda = new LookAgenda<LoadedCheck>()
  /** Changed checks that are not read again yet. */
  readonly #changed = new Set<string>()
  #gaps: Gap[] = []
  #term: LeaderTerm | undefined
  #timer: { cancel: CancelTimer; armedAt: number; dueAt: number } | undefined
  #looking: Promise<void> | undefined
  /** Events that have arrived since the last decision began, and the monotonic time until which deciding rests. */
  #arrivals = 0
  #restUntil = -Infinity
  /** As of the last timer. */
  #offset: number

  constructor(options: PassiveChecksOptions) {
    this.#options = options
    this.#offset = wallOffset(options.clock)
    this.#loader = checkLoader(options)
  }

  /** Reads and decides all checks, because events may have arrived without a decision. */
  async begin(term: LeaderTerm): Promise<void> {
    if (!this.#loader.hasTypes) return
    this.#gaps = [...(await readInstallationGaps(this.#options.db.pool)), ...(term.pause ? [term.pause] : [])]
    const checks = await this.#loader.all()
    const now = this.#options.clock.now()
    for (const check of checks) this.#agenda.put(check, now)
    this.#term = term
    this.#arm()
  }

  /** Resolves after the current decision. */
  async end(): Promise<void> {
    this.#term = undefined
    this.#timer?.cancel()
    this.#timer = undefined
    await this.#looking
    this.#agenda.clear()
    this.#changed.clear()
  }

  /** Resolves when the current state of the checks is read. After a rejection they are read again later. */
  async changed(checkIds: readonly string[]): Promise<void> {
    if (this.#term === undefined) return
    for (const id of checkIds) this.#changed.add(id)
    await this.#readChanged().finally(() => this.#arm())
  }

  /** Call when an event of the check was stored. */
  arrived(checkId: string): void {
    this.#arrivals++
    if (this.#agenda.lookBy(checkId, this.#options.clock.now())) this.#arm()
  }

  async #readChanged(): Promise<void> {
    const ids = [...this.#changed].slice(0, batchSize)
    if (ids.length === 0) return
    for (const id of ids) this.#changed.delete(id)
    try {
      this.#take(ids, await this.#loader.some(ids))
    } catch (error) {
      for (const id of ids) this.#changed.add(id)
      throw error
    }
    await this.#readChanged()
  }

  #take(ids: readonly string[], checks: readonly LoadedCheck[]): void {
    const found = new Map(checks.map((check) => [check.checkId, check]))
    for (const id of ids) {
      const check = found.get(id)
      if (check === undefined) this.#agenda.remove(id)
      else if (this.#term !== undefined) this.#agenda.put(check, this.#options.clock.now())
    }
  }

  #arm(): void {
    this.#noteSleep()
    this.#noteSetBack()
    if (this.#term === undefined || this.#looking !== undefined) return
    const { clock } = this.#options
    const now = clock.now()
    const nextAt = this.#changed.size > 0 ? Math.min(now + retryMs, this.#agenda.firstDue()) : this.#agenda.firstDue()
    this.#timer?.cancel()
    this.#timer = undefined
    if (nextAt === Infinity) return
    const delay = Math.min(Math.max(nextAt - now, this.#restUntil - clock.monotonic(), 0), longestSleepMs)
    const cancel = clock.after(delay, () => this.#wake())
    this.#timer = { cancel, armedAt: now, dueAt: now + delay }
  }

  #wake(): void {
    this.#noteSleep()
    this.#timer = undefined
    this.#looking = this.#lookAtDue()
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'Changed passive checks could not be read.'))
      .finally(() => {
        this.#looking = undefined
        this.#arm()
      })
  }

  /** Records a suspension of the host as a gap: no event could arrive. */
  #noteSleep(): void {
    const now = this.#options.clock.now()
    if (this.#timer === undefined || now - this.#timer.dueAt <= sleptMs) return
    const gap = { from: this.#timer.armedAt, to: now, reason: 'The server stood still.' }
    this.#timer.cancel()
    this.#timer = undefined
    this.#gaps.push(gap)
    this.#term?.stoodStill(gap)
  }

  /** The clock was set back: times that were planned are too late, and what is stored may be in the future. */
  #noteSetBack(): void {
    const offset = wallOffset(this.#options.clock)
    if (offset <= this.#offset - leapMs) this.#agenda.lookAtAllBy(this.#options.clock.now())
    this.#offset = offset
  }

  async #lookAtDue(): Promise<void> {
    await this.#readChanged()
    for (;;) {
      const due = this.#agenda.takeDue(this.#options.clock.now(), batchSize)
      if (this.#term === undefined || due.length === 0) return
      const { clock } = this.#options
      const began = clock.monotonic()
      this.#arrivals = 0
      await this.#look(due, this.#term)
      if (this.#arrivals < manyEvents) continue
      this.#restUntil = clock.monotonic() + Math.min(longestRestMs, (clock.monotonic() - began) * restFactor)
      return
    }
  }

  async #look(checks: readonly LoadedCheck[], term: LeaderTerm): Promise<void> {
    try {
      const readable = await this.#readAgain(checks)
      const decided = await term.write((client) => this.#decide(client, readable))
      const delays = await this.#store(
        decided.flatMap(({ results }) => results),
        term,
      )
      this.#lookAgainAtOthers(readable, decided)
      for (const { checkId, lookAgainAt } of decided) {
        const delayMs = delays.get(checkId)
        if (delayMs !== undefined) this.#lookIn(checkId, delayMs)
        else if (lookAgainAt !== null) this.#agenda.lookBy(checkId, lookAgainAt)
      }
    } catch (error) {
      if (!(error instanceof TermOver))
        this.#options.log.error({ err: error }, 'Nothing could be decided about passive checks; trying again.')
      for (const { checkId } of checks) this.#lookIn(checkId, retryMs)
    }
  }

  /** Checks that were not decided: somebody holds their row, or they have changed. */
  #lookAgainAtOthers(checks: readonly LoadedCheck[], decided: readonly Decided[]): void {
    const known = new Set(decided.map(({ checkId }) => checkId))
    for (const { checkId } of checks) if (!known.has(checkId)) this.#lookIn(checkId, retryMs)
  }

  /** The checks, with those that could not be read as they are now. */
  async #readAgain(checks: readonly LoadedCheck[]): Promise<readonly LoadedCheck[]> {
    const unreadable = checks.flatMap((check) => ('problem' in check ? check.checkId : []))
    if (unreadable.length === 0) return checks
    const again = await this.#loader.some(unreadable)
    for (const check of again) this.#agenda.put(check, this.#options.clock.now() + brokenMs)
    return [...checks.filter((check) => !('problem' in check)), ...again]
  }

  /**
   * Stores how far the checks are decided before the results are stored, so that later events are placed after that.
   */
  async #decide(client: Queryable, checks: readonly LoadedCheck[]): Promise<Decided[]> {
    const known = new Map(checks.map((check) => [check.checkId, check]))
    const progress = await this.#progressOf(client, [...known.keys()])
    const events = await readEvents(client, progress, mostEvents)
    const decided = progress.flatMap((each) => {
      const check = known.get(each.checkId)
      if (check?.revision !== each.revision) {
        this.#changed.add(each.checkId)
        return []
      }
      return this.#decideOne(check, each, events.get(each.checkId) ?? [])
    })
    const newest = decided.map(({ checkId, results }) => [checkId, results.at(-1)?.identity.dueAt] as const)
    await writeDecided(client, new Map(newest.filter((pair): pair is [string, number] => pair[1] !== undefined)))
    return decided
  }

  /**
   * With times in the future, from before the clock was set back, no wait would end, and all events would come at the
   * same time: waits go on from now. Small corrections of the clock are waited for.
   */
  async #progressOf(client: Queryable, ids: readonly string[]): Promise<Progress[]> {
    const progress = await lockProgress(client, ids)
    const now = this.#options.clock.now()
    const ahead = progress.flatMap(({ checkId, newestAt }) => (newestAt > now + mostAheadMs ? checkId : []))
    if (ahead.length === 0) return progress
    await shiftBack(client, ahead, now)
    return lockProgress(client, ids)
  }

  #decideOne(check: LoadedCheck, progress: Progress, events: readonly PassiveEvent[]): Decided {
    const { clock, log } = this.#options
    if ('problem' in check) return notDecided(check, progress, clock.now())
    const since = progress.lastDueAt ?? progress.startedAt
    const isCut = events.filter(({ at }) => at > since).length === mostEvents
    // One that ends ahead is of before the clock was set back.
    const gaps = this.#gaps.filter(({ to }) => to <= clock.now() + mostAheadMs)
    try {
      return decideCheck(check, { progress, events, gaps, isCut }, clock.now())
    } catch (error) {
      log.error({ err: error, checkId: check.checkId }, 'The type of a passive check failed to decide.')
      return notDecided({ ...check, problem: problemOf(error) }, progress, clock.now())
    }
  }

  /** Returns when to try checks again whose results could not be stored, in milliseconds from now. */
  async #store(results: readonly IncomingResult[], term: LeaderTerm): Promise<Map<string, number>> {
    const delays = new Map<string, number>()
    if (results.length === 0) return delays
    const answer = await this.#options.ingest.accept(results, term.fence())
    const accepted = new Set(answer.accepted)
    const reasons = new Map(answer.rejected.map(({ attemptId, reason }) => [attemptId, reason]))
    for (const { identity } of results) {
      const { attemptId, checkId } = identity
      if (accepted.has(attemptId)) continue
      const reason = reasons.get(attemptId)
      delays.set(checkId, reason === undefined ? retryMs : brokenMs)
      if (reason !== undefined)
        this.#options.log.error({ attemptId, checkId, reason }, 'A result of a passive check was refused.')
    }
    return delays
  }

  #lookIn(checkId: string, delayMs: number): void {
    this.#agenda.lookBy(checkId, this.#options.clock.now() + delayMs)
  }
}
