import type { OverviewRow } from '@vedette/wire'

/** Time a result may need from its end to this page. */
const travelMs = 10_000

/** Data older than two periods says nothing about now, and neither does a page that is cut off. Without a period, no age does. */
export function isStale(
  item: Pick<OverviewRow, 'state' | 'lastRunAt' | 'periodMs'>,
  nowMs: number,
  connected: boolean,
): boolean {
  if (item.state === 'paused' || item.state === 'pending' || item.lastRunAt === null) return false
  if (!connected) return true
  return item.periodMs !== null && nowMs - Date.parse(item.lastRunAt) > 2 * item.periodMs + travelMs
}
