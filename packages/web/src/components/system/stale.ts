import type { OverviewRow } from '@vedette/wire'

/** Milliseconds a result may need from its end to this page. */
const travelMs = 10_000

/**
 * Data older than two periods is outdated, and so is all data of a page without connection. Without a period, age does
 * not count.
 */
export function isStale(
  item: Pick<OverviewRow, 'state' | 'lastRunAt' | 'periodMs'>,
  nowMs: number,
  connected: boolean,
): boolean {
  if (item.state === 'paused' || item.state === 'pending' || item.lastRunAt === null) return false
  if (!connected) return true
  return item.periodMs !== null && nowMs - Date.parse(item.lastRunAt) > 2 * item.periodMs + travelMs
}
