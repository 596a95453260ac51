import type { OverviewRow } from '@vedette/wire'
import type { ChecksSearch } from '../../app/checks-search.ts'

type Failing = Pick<OverviewRow, 'state' | 'stateSince' | 'host' | 'failingLocations' | 'locationCount' | 'periodMs'>

/** What several failing checks have in common. */
export interface SharedTrouble {
  text: string
  /** The view that shows them; undefined when no filter tells them apart. */
  view: ChecksSearch | undefined
}

/** One host, or one location out of several. Empty when the failing checks share nothing. */
export function sharedTrouble(items: readonly Failing[], nowMs: number): SharedTrouble[] {
  const failing = items.filter((item) => item.state === 'failing')
  const hosts = countBy(failing.filter((item) => item.host !== '').map((item) => item.host))
  const alone = failing.filter((item) => item.failingLocations.length === 1 && hasBeenEverywhere(item, nowMs))
  const locations = countBy(alone.flatMap((item) => item.failingLocations))
  return [
    ...hosts.map(([host, count]) => ({
      text: `${count} checks fail at the same host, ${host}`,
      view: { host, state: 'failing' } as const,
    })),
    ...locations.map(([location, count]) => ({
      text: `${count} checks fail from one location only, ${location}`,
      view: undefined,
    })),
  ]
}

/** Locations run in turn, so the others are known to pass only after a whole round. */
function hasBeenEverywhere({ locationCount, periodMs, stateSince }: Failing, nowMs: number): boolean {
  if (locationCount <= 1 || stateSince === null || periodMs === null) return false
  return nowMs - Date.parse(stateSince) > (locationCount + 1) * periodMs
}

/** What occurs at least twice, most often first. */
function countBy(values: readonly string[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > 1).toSorted((a, b) => b[1] - a[1])
}
