const second = 1000
const minute = 60 * second
const gib = 1024 ** 3

/** From when on a fact is a trouble. Every limit of the signal is stated here. */
export const thresholds = {
  databaseAwayMs: 10 * second,
  /** A take-over by another server lasts about three seconds. */
  leaderlessMs: 20 * second,
  /** The scheduler's longest sleep is a minute. */
  scheduleStuckMs: 90 * second,
  /** Something due for less than this, with ticks, is a schedule that moves. */
  scheduleMovesMs: 10 * second,
  noAgentMs: minute,
  resultsNotStoredMs: 10 * second,
  /** Agents deliver again at least every ten seconds. Without a try for this long, storing counts as not failing. */
  resultsTriedMs: 5 * minute,
  deliveryRoundMs: minute,
  locationWithoutAgentMs: 2 * minute,
  /** Where none has ever called, no agent comes back. With the looks every five seconds it is told within a minute. */
  locationAwaitedMs: 50 * second,
  agentSilentMs: 2 * minute,
  /** Presence drops an agent after an hour of silence. */
  agentForgottenMs: 60 * minute,
  /** Runs wait, none is under way, and no agent asks for one. */
  notAskedMs: 2 * minute,
  /** The same while some are under way: agents may have no free slot, but no run lasts this long. */
  notAskedBusyMs: 10 * minute,
  /** No run has had a known outcome for this long, over at least so many runs. */
  unknownMs: 10 * minute,
  unknownRuns: 3,
  diskFreeShare: 0.1,
  diskFreeBytes: gib,
  /** Runs that wait: more than this, and more than half of the scheduled checks. */
  waitingRuns: 100,
  waitingMs: minute,
  clockLeapMs: 5 * second,
  clockLeapShownMs: 10 * minute,
  /** Then another one is started, and awaited for this long. */
  canaryAgeMs: 26 * 60 * minute,
  canaryAwaitedMs: 10 * minute,
  deadmanMs: 5 * minute,
} as const

/** A trouble is alerted when it has lasted this long beyond its threshold. */
export const alertedAfterMs = 30 * second
/** And it is over when it has not been seen for this long: one that comes and goes is one trouble. */
export const overAfterMs = 5 * minute

export const isNearlyFull = ({ free, size }: { free: number; size: number }): boolean =>
  free < size * thresholds.diskFreeShare || free < thresholds.diskFreeBytes
