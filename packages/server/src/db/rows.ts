// Generated from the migrated database: do not edit. After a new migration run `npm run generate`.
// One interface per table, columns as a query delivers them. Stores pick from these what they read.

export interface AccountsRow {
  id: string
  name: string
  alert_settings: unknown
  default_locations: string[]
  created_at: Date
  updated_at: Date | null
  suspended_at: Date | null
  suspended_because: string | null
}

export interface AgentKeysRow {
  id: string
  kind: string
  account_id: string | null
  location: string
  hash: Buffer
  masked: string
  created_at: Date
  revoked_at: Date | null
  first_heard_at: Date | null
}

export interface AlertChannelsRow {
  id: number
  account_id: string
  type: string
  config: unknown
  secrets: unknown
  send_recovery: boolean
  send_failure: boolean
  send_degraded: boolean
  ssl_expiry: boolean
  ssl_expiry_threshold: number
  auto_subscribe: boolean
  version: number
  created_at: Date
  updated_at: Date | null
  deleted_at: Date | null
  test_accepted_at: Date | null
}

export interface AlertNotificationsRow {
  id: string
  account_id: string
  alert_id: string
  check_id: string | null
  check_name: string
  check_type: string | null
  channel_id: number
  channel_type: string
  alert_config: unknown
  message: unknown
  status: string
  attempts: number
  next_attempt_at: Date | null
  claimed_by: string | null
  claimed_until: Date | null
  response_status: number | null
  notification_result: string | null
  due_at: Date | null
  started_at: Date | null
  finished_at: Date | null
  decided_at: Date
  queued_at: Date
  accepted_at: Date | null
  line: string
  round: number
  seq: number
  subject_id: string
  planned_at: Date
}

export interface AlertSubscriptionsRow {
  id: number
  account_id: string
  channel_id: number
  check_id: string | null
  group_id: number | null
  activated: boolean
}

export interface ApiKeyUsesRow {
  key_id: string
  last_used_at: Date
}

export interface ApiKeysRow {
  id: string
  account_id: string
  name: string
  role: string
  hash: Buffer
  masked: string
  created_at: Date
  revoked_at: Date | null
  expires_at: Date | null
  user_id: string | null
}

export interface AuditLogRow {
  id: number
  account_id: string | null
  actor: string
  action: string
  resource: string
  resource_id: string
  request_id: string
  at: Date
  before: unknown
  after: unknown
}

export interface BulkUndosRow {
  hash: Buffer
  account_id: string
  undo: unknown
  expires_at: Date
}

export interface ChangesRow {
  id: number
  transaction: number
  server: string
  kind: string
  account_id: string | null
  ids: unknown
  at: Date
}

export interface CheckAlertsRow {
  id: string
  account_id: string
  check_id: string | null
  alert_type: string
  result_id: string | null
  result_due_at: Date | null
  revision: number | null
  location: string | null
  response_ms: number | null
  error: string | null
  status_code: number | null
  reminder: number
  started_at: Date | null
  created_at: Date
  seq: number
  recorded_at: Date
  episode_id: string | null
  held_by: string | null
}

export interface CheckEpisodesRow {
  id: string
  account_id: string
  check_id: string
  state: string
  began_at: Date
  ended_at: Date | null
  cause: string | null
  result_id: string | null
  acknowledged_by: string | null
  acknowledged_at: Date | null
}

export interface CheckEventsRow {
  id: string
  account_id: string
  check_id: string
  at: Date
  source: string | null
  user_agent: string | null
  payload: string | null
}

export interface CheckGroupTriggersRow {
  id: number
  account_id: string
  group_id: number
  secrets: unknown
  created_at: Date
  updated_at: Date | null
  called_at: Date | null
}

export interface CheckGroupsRow {
  id: number
  account_id: string
  name: string
  definition: unknown
  secrets: unknown
  version: number
  created_at: Date
  updated_at: Date | null
}

export interface CheckParentsRow {
  account_id: string
  check_id: string
  parent_id: string
  nr: number
}

export interface CheckPartedChannelsRow {
  account_id: string
  check_id: string
  channel_id: number
  line: string
}

export interface CheckResultsRow {
  due_at: Date
  id: string
  account_id: string
  check_id: string
  revision: number
  location: string | null
  result_type: string
  outcome: string
  has_failures: boolean
  has_errors: boolean
  is_degraded: boolean
  over_max: boolean
  is_cancelled: boolean
  attempts: number
  check_run_id: number
  sequence_id: string
  response_ms: number | null
  started_at: Date | null
  stopped_at: Date | null
  received_at: Date
  late: boolean
  emulated: boolean
  clock_offset_ms: number
  timing_uncertainty_ms: number
  source: string
  cause: string | null
  body: unknown
}

export interface CheckRevisionsRow {
  check_id: string
  revision: number
  account_id: string
  type: string
  name: string
  definition: unknown
  secrets: unknown
  created_at: Date
  effective: unknown
}

export interface CheckSessionsRow {
  id: string
  account_id: string
  check_id: string
  check_name: string
  check_type: string
  source: string
  locations: string[]
  created_at: Date
  due_at: Date | null
  give_up_at: Date | null
  cancelled_sequences: string[]
  ended_at: Date | null
  status: string | null
  batch: string | null
  position: number | null
  at_once: number | null
}

export interface CheckStatusRow {
  check_id: string
  account_id: string
  state: string
  state_since: Date | null
  cause: string | null
  has_failures: boolean
  has_errors: boolean
  is_degraded: boolean
  failing_locations: string[]
  longest_run: number | null
  shortest_run: number | null
  last_run_location: string | null
  last_check_run_id: number | null
  last_result_id: string | null
  last_run_at: Date | null
  last_pass_at: Date | null
  ssl_not_after: Date | null
  overlap_count: number
  alert_state: unknown
  created_at: Date
  updated_at: Date | null
  decided_to: Date | null
  unwatched_at: Date | null
  known_at: Date | null
  last_response_ms: number | null
  held_by: string | null
}

export interface CheckTriggersRow {
  id: number
  account_id: string
  check_id: string
  secrets: unknown
  created_at: Date
  updated_at: Date | null
  called_at: Date | null
}

export interface ChecksRow {
  id: string
  account_id: string
  type: string
  name: string
  activated: boolean
  tags: string[]
  definition: unknown
  secrets: unknown
  offset_sent: boolean
  revision: number
  version: number
  not_runnable: string | null
  created_at: Date
  updated_at: Date | null
  deleted_at: Date | null
  effective: unknown
  target: string
  event_token: string | null
  counted_from: Date | null
  muted_until: Date | null
  host: string
  muted: boolean
  period_seconds: number | null
  group_id: number | null
  group_order: number | null
}

export interface ClientCertificatesRow {
  id: string
  account_id: string
  host: string
  cert: string
  ca: string | null
  key: string
  subject: string
  expires_at: Date
  created_at: Date
  seq: number
  deleted_at: Date | null
}

export interface CoverageGapsRow {
  id: number
  account_id: string | null
  scope: string
  check_id: string | null
  location: string | null
  from_at: Date
  to_at: Date
  reason: string
}

export interface HealthReportsRow {
  role: string
  epoch: number
  host: string
  report: unknown
  at: Date
}

export interface IdentitiesRow {
  issuer: string
  subject: string
  user_id: string
  created_at: Date
}

export interface InstallationRow {
  key: string
  value: unknown
}

export interface InvitesRow {
  id: string
  account_id: string
  email: string
  role: string
  hash: Buffer
  inviter: string
  created_at: Date
  updated_at: Date
  expires_at: Date
}

export interface LeadershipRow {
  role: string
  holder: string
  epoch: number
  expires_at: Date
  watermark: Date | null
}

export interface MembershipsRow {
  account_id: string
  user_id: string
  role: string
  owner: boolean
  created_at: Date
  updated_at: Date
}

export interface PendingRunsRow {
  attempt_id: string
  account_id: string
  check_id: string
  revision: number
  type: string
  due_at: Date
  run_at: Date
  location: string
  worker_class: string
  attempt: number
  sequence_id: string
  source: string
  created_at: Date
}

export interface PrivateLocationAgentsRow {
  location_id: string
  agent_id: string
  key_id: string
  version: string | null
  protocol: number | null
  last_seen_at: Date
  capabilities: string[]
  running: number | null
  slots: number | null
}

export interface PrivateLocationSamplesRow {
  location_id: string
  at: Date
  waiting: number
  oldest_seconds: number
}

export interface PrivateLocationsRow {
  id: string
  account_id: string
  slug: string
  name: string
  created_at: Date
  deleted_at: Date | null
  icon: string
  secrets: unknown
  version: number
  updated_at: Date | null
}

export interface RateWindowsRow {
  key: string
  requests: number
  ends_at: Date
}

export interface RecoveryCodesRow {
  user_id: string
  hash: Buffer
  used_at: Date | null
}

export interface ResultAssetsRow {
  result_id: string
  name: string
  account_id: string
  check_id: string
  sequence_id: string
  due_at: Date
  type: string
  content_type: string
  bytes: number
  created_at: Date
}

export interface SavedViewsRow {
  id: string
  account_id: string
  name: string
  query: string
  created_at: Date
}

export interface SchemaMigrationsRow {
  version: number
  name: string
  checksum: string
  applied_at: Date
}

export interface SignInLinksRow {
  hash: Buffer
  user_id: string
  account_id: string
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

export interface SnippetsRow {
  id: number
  account_id: string
  name: string
  script: string
  version: number
  created_at: Date
  updated_at: Date | null
}

export interface SystemTroublesRow {
  key: string
  id: string
  trouble: unknown
  alerted_at: Date
}

export interface UsersRow {
  id: string
  email: string
  name: string
  password_hash: string | null
  created_at: Date
  totp_secret: string | null
  totp_since: Date | null
  totp_last_step: number | null
}

export interface VariablesRow {
  account_id: string
  key: string
  value: string
  locked: boolean
  secret: boolean
  version: number
  created_at: Date
  updated_at: Date | null
  deleted_at: Date | null
}

export interface WebSessionsRow {
  hash: Buffer
  user_id: string
  account_id: string
  created_at: Date
  expires_at: Date
  revoked_at: Date | null
  user_agent: string | null
}
