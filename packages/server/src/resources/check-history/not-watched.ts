import type { HistoryRange } from './history-range.ts'
import type { Gap } from './store.ts'

/** Due times of the runs whose outcome is known, by location, oldest first. */
export type KnownRuns = ReadonlyMap<string | null, readonly number[]>

export interface WatchedBy {
  /** Where the check runs. */
  locations: readonly string[]
  runParallel: boolean
  /** Time between two slots; 0 for a passive check, whose events cover nothing. */
  periodMs: number
}

/**
 * What of the gaps was not watched within the range. An agent that kept the schedule by itself while the server was away delivers its runs
 * later: each of them covers the time until the next slot. A check that runs at one location after the other is watched
 * by any of them. Parts that are less than a bucket apart are one.
 */
export function notWatched(gaps: readonly Gap[], runs: KnownRuns, by: WatchedBy, range: HistoryRange): Gap[] {
  const cut = gaps.map((gap) => ({ ...gap, from: Math.max(gap.from, range.from), to: Math.min(gap.to, range.to) }))
  if (by.periodMs === 0) return cut
  return cut.flatMap((gap) => {
    const places = gap.location === null && by.runParallel ? by.locations : [gap.location]
    const parts = places.map((location) => leftOf({ ...gap, location }, timesAt(runs, location, by), by.periodMs))
    const isWhole = parts.every(([part, ...more]) => part?.from === gap.from && part.to === gap.to && more.length === 0)
    // A run before the range may cover its beginning.
    const isKnown = ({ from, to }: Gap) => from > range.from || to - from >= by.periodMs
    return isWhole ? [gap] : parts.flatMap((left) => joined(left.filter(isKnown), range.bucketMs))
  })
}

function timesAt(runs: KnownRuns, location: string | null, { runParallel }: WatchedBy): number[] {
  const own = runParallel && location !== null ? [runs.get(location) ?? []] : [...runs.values()]
  return own.flat().sort((one, other) => one - other)
}

/** The gap without the times that the runs cover. */
function leftOf(gap: Gap, times: readonly number[], periodMs: number): Gap[] {
  const left: Gap[] = []
  let { from } = gap
  for (const time of times) {
    if (time + periodMs <= from) continue
    if (time > gap.to) break
    if (time > from) left.push({ ...gap, from, to: time })
    from = time + periodMs
  }
  return from <= gap.to ? [...left, { ...gap, from }] : left
}

function joined(parts: readonly Gap[], apartMs: number): Gap[] {
  const found: Gap[] = []
  for (const part of parts) {
    const last = found.at(-1)
    if (last !== undefined && part.from - last.to < apartMs) found[found.length - 1] = { ...last, to: part.to }
    else found.push(part)
  }
  return found
}
