import type { CheckState } from '@vedette/wire'

/** One run in the strip of a check, oldest first. */
export interface StripRun {
  id: string
  at: string
  outcome: 'pass' | 'fail' | 'unknown'
  degraded: boolean
  ms: number | null
  location: string
}

/** A check in the list. */
export interface OverviewItem {
  checkId: string
  name: string
  checkType: string
  action: string
  host: string
  tags: string[]
  activated: boolean
  muted: boolean
  state: CheckState
  stateSince: string | null
  cause: string | null
  lastRunAt: string | null
  lastPassAt: string | null
  lastResultId: string | null
  lastRunLocation: string | null
  failingLocations: string[]
  places: number
  periodMs: number
  overlaps: number
  notRunnable: string | null
  runs: StripRun[]
}

export interface Overview {
  serverTime: string
  counts: Partial<Record<CheckState, number>>
  total: number
  tags: string[]
  items: OverviewItem[]
}

export interface Profile {
  email: string
  name: string
  accountId: string
  accountName: string
  role: string
  hasPassword: boolean
}
