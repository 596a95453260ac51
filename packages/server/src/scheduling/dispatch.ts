import type { Clock, LocationId } from '@vedette/wire'
import type { AgentWork } from '../agents/agent-work.ts'
import type { Database } from '../db/database.ts'
import { MemoryQueue } from '../queue/memory-queue.ts'
import type { WaitingAt } from '../queue/run-queue.ts'
import type { DryRunRequest, Fence, IncomingResult, ResultSink } from '../runs.ts'
import { Availability } from './availability.ts'
import { Bookkeeping, type Progress } from './bookkeeping.ts'
import { CheckChanges } from './check-changes.ts'
import { cancelRuns, followResults, forgetCheck, takeBack, type Waiting } from './end-runs.ts'
import { handOutRuns } from './hand-out-runs.ts'
import { Leadership } from './leadership/leadership.ts'
import { ScheduleTerm } from './leadership/schedule-term.ts'
import type { TermPart } from './leadership/term-part.ts'
import { LossRecorder } from './losses/loss-recorder.ts'
import { DryRuns } from './requests/dry-runs.ts'
import { runRequests, type RequestRun, type RequestRuns } from './requests/run-requests.ts'
import { Outlook } from './outlook.ts'
import { RunLedger } from './run-ledger.ts'
import { Scheduler, type Plan } from './scheduler.ts'
import type { SchedulingLog } from './scheduling-log.ts'
import { readCancelledRuns, readPendingRuns } from './store.ts'

const role = 'scheduler'
/** Runs in flight for longer hold the watermark back no more. Most end sooner, and need no row of their own. */
const slowAfterMs = 5000

export interface DispatchOptions {
  db: Database
  clock: Clock
  ingest: ResultSink
  /** How long an agent has a run before it must renew the lease. */
  leaseMs: number
  /** Name of this process in the leadership row and the log. */
  holder: string
  log: SchedulingLog
  /** Locations whose first agent is awaited. */
  awaited: () => ReadonlySet<LocationId>
  /** Decides about passive checks, while this process leads. */
  passive: TermPart
  waiting: Waiting
}

export interface ScheduleCondition extends Plan {
  leading: boolean
  /** Name of this process in the leadership row. */
  holder: string
  /** Why the lease of the schedule could not be taken or renewed; null when it could. */
  leaseFault: string | null
  waiting: number
  leased: number
  /** Locations whose runs are left out now, because no agent asks for them. */
  gaps: readonly LocationId[]
}

/** Everything between the schedule and the agents, including the recording of lost runs. */
export interface Dispatch {
  /** Resolves when this process leads, or when another one is known to lead. */
  start(): Promise<void>
  stop(): Promise<void>
  /** True when this process leads and its schedule is loaded. */
  isLeading(): boolean
  /** Runs waiting and leased, checks in the schedule: for metrics and health. */
  depth(): { waiting: number; leased: number; scheduled: number }
  /** The locations where runs wait for an agent. */
  waitingAt(): WaitingAt[]
  /** How many runs of each location agents hold. */
  leasedAt(): ReadonlyMap<LocationId, number>
  /** What the schedule of this process does at this moment. */
  condition(): ScheduleCondition
  /** Runs a transaction that commits only while this process leads. */
  write: Leadership['write']
  /** Call when a check was created, changed or deleted. Resolves when the schedule has its current state. */
  checkChanged(checkId: string): Promise<void>
  /** The same for many checks at once. */
  checksChanged(checkIds: readonly string[]): Promise<void>
  /** Call when another server has stored runs of these checks. Resolves when the schedule has them. */
  runsRequested(checkIds: readonly string[]): Promise<void>
  /** Call when runs of these sessions were cancelled. Resolves when none of them is handed out any more. */
  sessionsCancelled(sessionIds: readonly string[]): Promise<void>
  requestRun: RequestRun
  requestRuns: RequestRuns
  /** Runs a check that is not saved. Undefined when no agent answered in time. */
  dryRun(request: DryRunRequest): Promise<IncomingResult | undefined>
  work: AgentWork
}

/** Connects the parts; none of them runs yet. */
export function connectDispatch(options: DispatchOptions): Dispatch {
  const { clock, ingest } = options
  const runs = runParts(options, () => leadership.fence())
  const { queue, ledger } = runs
  const { leadership, bookkeeping, scheduler, changes, term, requests, ending } = scheduleParts(options, runs)
  const isLeading = () => term.isServing && leadership.isLeading()
  const dryRuns = new DryRuns({ clock, queue, ledger, isLeading })
  const work = handOutRuns({
    ...runs,
    ingest,
    isLeading,
    fence: () => leadership.fence(),
    ready: () => term.ready(),
    isActive: (checkId) => scheduler.check(checkId) !== undefined,
    checks: () => scheduler.condition().checks,
    takeBack: (refs) => takeBack(ending, refs),
  })
  const follow = followWrites(options, { term, changes, scheduler, ending })
  let stopListening: () => void = () => undefined
  return {
    async start() {
      stopListening = ingest.onCommitted((results) => followResults(ending, results))
      await leadership.start()
    },
    async stop() {
      scheduler.halt()
      if (isLeading()) await bookkeeping.flush()
      await leadership.stop()
      stopListening()
      dryRuns.stop()
    },
    checkChanged: (checkId) => follow.checksChanged([checkId]),
    ...follow,
    isLeading,
    depth: () => ({ ...queue.depth(), scheduled: scheduler.size }),
    waitingAt: () => queue.waitingAt(),
    leasedAt: () => queue.leasedAt(),
    condition: () => ({
      leading: isLeading(),
      holder: options.holder,
      leaseFault: leadership.fault() ?? null,
      gaps: runs.availability.current(),
      ...queue.depth(),
      ...scheduler.condition(),
    }),
    write: (work) => leadership.write(work),
    ...requests,
    dryRun: (request) => dryRuns.run(request),
    work,
  }
}

type ScheduleParts = ReturnType<typeof scheduleParts>

/** Brings what the API, or another server, has written into the schedule of this process while it leads. */
function followWrites(
  { db, clock, passive }: DispatchOptions,
  { term, changes, scheduler, ending }: Pick<ScheduleParts, 'term' | 'changes' | 'scheduler' | 'ending'>,
): Pick<Dispatch, 'checksChanged' | 'runsRequested' | 'sessionsCancelled'> {
  return {
    // A lease in doubt ends no term: if it goes on, nobody reads the changes again.
    async checksChanged(checkIds) {
      await term.ready()
      if (!term.isServing) return
      await changes.changed(checkIds)
      await passive.changed(checkIds)
    },
    async runsRequested(checkIds) {
      await term.ready()
      if (!term.isServing) return
      for (const run of await readPendingRuns(db.pool, clock.now(), checkIds)) scheduler.putOneShot(run)
    },
    async sessionsCancelled(sessionIds) {
      await term.ready()
      if (term.isServing) cancelRuns(ending, await readCancelledRuns(db.pool, sessionIds))
    },
  }
}

/** The parts that track runs: ledger, queue, availability of locations, and losses. */
function runParts({ clock, ingest, leaseMs, log, awaited }: DispatchOptions, fence: () => Fence | undefined) {
  const ledger = new RunLedger(clock)
  const losses = new LossRecorder({ clock, ingest, ledger, fence, log })
  const queue = new MemoryQueue({ clock, leaseMs, memory: ledger, onLost: (ref, reason) => losses.add(ref, reason) })
  return { ledger, losses, queue, outlook: new Outlook(), availability: new Availability(clock, awaited) }
}

/** The parts that start runs, while this process leads. */
function scheduleParts(
  { db, clock, holder, log, passive, waiting }: DispatchOptions,
  runs: ReturnType<typeof runParts>,
) {
  const { ledger, losses, queue, outlook, availability } = runs
  const leadership = new Leadership({
    db,
    clock,
    log,
    role,
    holder,
    onGained: ({ watermark }) => term.begin(watermark),
    onLost: () => term.end(),
  })
  const bookkeeping = new Bookkeeping({
    clock,
    log,
    role,
    leadership,
    progress: () => progressOf(scheduler.handledTo(), ledger),
    isInFlight: (attemptId) => ledger.isInFlight(attemptId),
    availability,
  })
  const scheduler = new Scheduler({
    clock,
    log,
    queue,
    ledger,
    outlook,
    availability,
    leadsForMs: () => leadership.leadsForMs(),
    onLost: (ref, because) => losses.add(ref, because),
    onOverlap: (checkId) => bookkeeping.overlap(checkId),
    onSkipped: (span) => term.skipped(span),
    onDropped: (ref) => void takeBack(ending, [ref]),
  })
  const ending = { leadership, ledger, outlook, queue, scheduler, waiting, log }
  const changes = new CheckChanges({
    db,
    clock,
    log,
    onRuns: (check) => scheduler.put(check),
    onGone: (checkId) => forgetCheck(ending, checkId),
  })
  const requests = runRequests({
    db,
    clock,
    ready: () => term.ready(),
    onRequested: (run) => scheduler.putOneShot(run),
  })
  const parts = { queue, availability, losses, scheduler, bookkeeping, changes, ledger, outlook, passive }
  const term = new ScheduleTerm({ db, clock, log, parts, leadership, requestRun: requests.requestRun })
  return { leadership, bookkeeping, scheduler, changes, term, requests, ending }
}

/** `reached`: slots due before it were started or left out. Only ticks older than this are written down one by one. */
function progressOf(reached: number, ledger: Pick<RunLedger, 'oldestTick' | 'ticksDueBy'>): Progress {
  const watermark = Math.max(Math.min(reached, ledger.oldestTick()), reached - slowAfterMs) - 1
  return { watermark, inFlight: ledger.ticksDueBy(watermark) }
}
