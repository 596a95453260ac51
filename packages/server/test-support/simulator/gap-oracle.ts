import type { Chronicle, Span } from './chronicle.ts'
import type { History } from './history.ts'
import { groupBy } from './group-by.ts'
import { extended, union } from './schedule-spans.ts'

/** A gap may begin this long before the trouble: the schedule is written down every few seconds. */
const beforeMs = 15_000
/** A gap may end this long after the trouble: a server starts, or takes over. */
const afterMs = 20_000
/** A location counts as served for this long after its last agent. */
const agentAfterMs = 60_000

/** Gaps in times in which servers and agents were well. */
export function inventedGaps({ world, startedAt }: Chronicle, { gaps }: History): string[] {
  if (world === undefined || world.leaps.length > 0) return []
  const servers = union(extended([{ from: startedAt, to: startedAt }, ...world.serverTroubles], beforeMs, afterMs))
  return gaps.flatMap((gap) => {
    const { location } = gap
    if (location !== null && world.deadLocations.has(location)) return []
    const agents = location === null ? [] : (world.agentTroubles.get(location) ?? [])
    const troubles = location === null ? servers : union(extended(agents, 0, agentAfterMs))
    if (troubles.some((trouble) => contains(trouble, gap))) return []
    return [`the gap from ${timeText(gap.from)} to ${timeText(gap.to)} at ${location ?? 'all locations'} is invented`]
  })
}

/** Gaps of which another one holds a part. */
export function doubledGaps({ gaps }: History): string[] {
  return [...groupBy(gaps, ({ location }) => location ?? 'all locations')].flatMap(([place, own]) => {
    const sorted = own.toSorted((a, b) => a.from - b.from)
    return sorted
      .filter(({ from }, at) => from <= (sorted[at - 1]?.to ?? -Infinity))
      .map(({ from, to }) => `the gap from ${timeText(from)} to ${timeText(to)} at ${place} is written twice`)
  })
}

const timeText = (at: number): string => new Date(at).toISOString()

const contains = (outer: Span, inner: Span): boolean => outer.from <= inner.from && inner.to <= outer.to
