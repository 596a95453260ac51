import { checkTypeOf } from '@vedette/checks'
import type { OverviewRow, StripRun } from '@vedette/wire'
import type { ListedCheck } from './row-store.ts'

/** The row as it is answered. */
export function toOverviewRow({ definition, periodSeconds, ...row }: ListedCheck, runs: StripRun[]): OverviewRow {
  const target = checkTypeOf(row.checkType)?.describe(definition)
  return {
    ...row,
    action: target?.action ?? '',
    host: row.host,
    periodMs: periodSeconds === null ? null : periodSeconds * 1000,
    mutedUntil: isoTime(row.mutedUntil),
    acknowledged: row.acknowledged && { ...row.acknowledged, at: new Date(row.acknowledged.at).toISOString() },
    stateSince: isoTime(row.stateSince),
    lastRunAt: isoTime(row.lastRunAt),
    lastPassAt: isoTime(row.lastPassAt),
    runs,
  }
}

const isoTime = (at: Date | null): string | null => at?.toISOString() ?? null
