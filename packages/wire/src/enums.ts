/** Data-center locations, in the order the management API lists them. Source: contract, "Location values". */
export const locations = [
  'us-east-1',
  'us-east-2',
  'us-west-1',
  'us-west-2',
  'ca-central-1',
  'sa-east-1',
  'eu-west-1',
  'eu-central-1',
  'eu-west-2',
  'eu-west-3',
  'eu-north-1',
  'eu-south-1',
  'me-south-1',
  'ap-southeast-1',
  'ap-northeast-1',
  'ap-east-1',
  'ap-southeast-2',
  'ap-southeast-3',
  'ap-northeast-2',
  'ap-northeast-3',
  'ap-south-1',
  'af-south-1',
] as const
export type Location = (typeof locations)[number]

/** Runtime ids a check may name, newest first. Source: contract, "Runtime ids". */
export const runtimeIds = ['2026.04', '2025.04', '2024.09', '2024.02', '2023.09', '2023.02', '2022.10'] as const

/** Minutes between runs; 0 means every `frequencyOffset` seconds. Source: contract, "Frequency values". */
export const frequencies = [0, 1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440] as const

/** Those of check types that take too long to run more often than once a minute. Source: contract, "Frequency values". */
export const minuteFrequencies = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440] as const

/** Every check type name the API may answer with, built or not. */
export const checkTypeNames = [
  'AGENTIC',
  'API',
  'BROWSER',
  'HEARTBEAT',
  'ICMP',
  'MULTI_STEP',
  'TCP',
  'PLAYWRIGHT',
  'URL',
  'DNS',
  'SSL',
] as const
export type CheckTypeName = (typeof checkTypeNames)[number]

/** Alert channel kinds of the contract, built or not. */
export const alertChannelTypes = [
  'EMAIL',
  'SLACK',
  'SLACK_APP',
  'WEBHOOK',
  'SMS',
  'PAGERDUTY',
  'OPSGENIE',
  'CALL',
] as const
export type AlertChannelType = (typeof alertChannelTypes)[number]

/** FINAL is the result of a run, ATTEMPT one of its retried attempts. */
export const resultTypes = ['FINAL', 'ATTEMPT'] as const
export type ResultType = (typeof resultTypes)[number]

/** Outcomes of a result. `unknown` means that the trouble was ours, never the target's. */
export const outcomes = ['pass', 'fail', 'unknown'] as const
export type Outcome = (typeof outcomes)[number]

/** The state of a check as people see it. */
export const checkStates = ['passing', 'degraded', 'failing', 'unknown', 'paused', 'pending'] as const
export type CheckState = (typeof checkStates)[number]

/** Queue worker classes: agents have separate capacity for each kind of work. */
export const workerClasses = ['network', 'script', 'browser'] as const
export type WorkerClass = (typeof workerClasses)[number]

/** Kinds of alert, from the alert state machine. */
export const alertTypes = [
  'NO_ALERT',
  'ALERT_FAILURE',
  'ALERT_FAILURE_REMAIN',
  'ALERT_FAILURE_DEGRADED',
  'ALERT_RECOVERY',
  'ALERT_DEGRADED',
  'ALERT_DEGRADED_REMAIN',
  'ALERT_DEGRADED_FAILURE',
  'ALERT_DEGRADED_RECOVERY',
  'ALERT_SSL',
  'ALERT_UNKNOWN',
  'ALERT_UNKNOWN_RECOVERY',
  'ALERT_SYSTEM',
  'ALERT_SYSTEM_RECOVERY',
] as const
export type AlertType = (typeof alertTypes)[number]

/** States of one notification in the ledger. */
export const notificationStatuses = ['IN_PROGRESS', 'SUCCESS', 'FAILURE', 'RATE_LIMITED'] as const
export type NotificationStatus = (typeof notificationStatuses)[number]

/** Roles of API keys and members, weakest first. */
export const roles = ['read', 'run', 'write', 'admin'] as const
export type Role = (typeof roles)[number]
