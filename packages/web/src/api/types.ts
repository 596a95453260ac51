import type { FormSection } from '@vedette/checks'
import type { CheckState } from '@vedette/wire'

/** One run in the strip of a check, oldest first. */
export interface StripRun {
  id: string
  at: string
  outcome: 'pass' | 'fail' | 'unknown'
  degraded: boolean
  ms: number | null
  location: string | null
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
  locationCount: number
  /** Null for a check without a period of its own. */
  periodMs: number | null
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

/** A result as the API answers it; the type-specific part stands under the `resultKey` of its check type. */
export interface Result {
  id: string
  resultType: 'FINAL' | 'ATTEMPT'
  name: string
  checkId: string
  checkType: string
  outcome: 'pass' | 'fail' | 'unknown'
  isDegraded: boolean | null
  overMaxResponseTime: boolean | null
  runLocation: string | null
  startedAt: string | null
  stoppedAt: string | null
  dueAt: string
  responseTime: number | null
  attempts: number
  sequenceId: string | null
  cause: string | null
  emulatedLocation: boolean
  late?: boolean
  timingUncertaintyMs?: number
  internalError?: { code: string; text: string } | null
}

export interface ResultList {
  length: number
  entries: Result[]
  nextId: string | null
}

/** A row of the notification ledger. */
export interface Notification {
  id: string
  type: string
  status: 'IN_PROGRESS' | 'SUCCESS' | 'FAILURE' | 'RATE_LIMITED'
  alertConfig: Record<string, unknown>
  notificationResult: string | null
  timestamp: string | null
  checkType: string
  checkId: string
  checkName?: string
  checkAlertId: string
  alertType?: string
  alertChannelId: number
  checkResultId: string
  attempts?: number
  dueAt?: string
  decidedAt?: string
  queuedAt?: string
  acceptedAt?: string | null
  nextAttemptAt?: string | null
}

export type Check = Record<string, unknown> & {
  id: string
  name: string
  checkType: string
  activated: boolean
  muted: boolean
}

/** A kind of alert channel as the server describes it: enough to render its form. */
export interface ChannelKind {
  type: string
  title: string
  form: FormSection[]
  defaults: Record<string, unknown>
}

export interface Variable {
  key: string
  value: string | null
  locked: boolean
  secret: boolean
}

export interface ApiKey {
  id: string
  name: string
  role: string
  maskedKey: string
  created_at: string
  rawKey?: string
}

export interface AgentInfo {
  agentId: string
  version: string
  kind: string
  locations: string[]
  state: 'online' | 'silent'
  lastSeenAt: string
  running: number
  spooled: number
  eventLoopLagMs: number
}

/** What lists of results show; bodies are left to the page of one result. */
export const listedFields =
  'id,resultType,name,checkId,checkType,outcome,isDegraded,overMaxResponseTime,runLocation,startedAt,stoppedAt,dueAt,responseTime,attempts,sequenceId,cause,emulatedLocation'

/** A time in which nothing was checked. */
export interface CoverageGap {
  id: number
  scope: string
  location: string | null
  from: string
  to: string
  reason: string
}
