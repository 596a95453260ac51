import { boolean, integer, jsonb, pgTable, real, text, uuid } from 'drizzle-orm/pg-core'
import { accounts } from './accounts.ts'
import { timestamptz, type SealedSecrets } from './column-types.ts'

export const alertChannels = pgTable('alert_channels', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  accountId: uuid('account_id')
    .notNull()
    .references(() => accounts.id),
  type: text('type').notNull(),
  config: jsonb('config').$type<Record<string, unknown>>().notNull(),
  secrets: jsonb('secrets').$type<SealedSecrets>().notNull(),
  sendRecovery: boolean('send_recovery').notNull(),
  sendFailure: boolean('send_failure').notNull(),
  sendDegraded: boolean('send_degraded').notNull(),
  sslExpiry: boolean('ssl_expiry').notNull(),
  sslExpiryThreshold: integer('ssl_expiry_threshold').notNull(),
  autoSubscribe: boolean('auto_subscribe').notNull(),
  version: integer('version').notNull(),
  createdAt: timestamptz('created_at').notNull(),
  updatedAt: timestamptz('updated_at'),
  deletedAt: timestamptz('deleted_at'),
})

export const alertSubscriptions = pgTable('alert_subscriptions', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  accountId: uuid('account_id').notNull(),
  channelId: integer('channel_id').notNull(),
  checkId: uuid('check_id'),
  groupId: integer('group_id'),
  activated: boolean('activated').notNull(),
})

export const checkAlerts = pgTable('check_alerts', {
  id: uuid('id').primaryKey(),
  accountId: uuid('account_id').notNull(),
  checkId: uuid('check_id').notNull(),
  alertType: text('alert_type').notNull(),
  resultId: uuid('result_id').notNull(),
  resultDueAt: timestamptz('result_due_at').notNull(),
  revision: integer('revision').notNull(),
  location: text('location').notNull(),
  responseMs: real('response_ms'),
  error: text('error'),
  statusCode: integer('status_code'),
  reminder: integer('reminder').notNull().default(0),
  startedAt: timestamptz('started_at'),
  createdAt: timestamptz('created_at').notNull(),
})

export const alertNotifications = pgTable('alert_notifications', {
  id: uuid('id').primaryKey(),
  accountId: uuid('account_id').notNull(),
  alertId: uuid('alert_id')
    .notNull()
    .references(() => checkAlerts.id),
  checkId: uuid('check_id').notNull(),
  checkName: text('check_name').notNull(),
  checkType: text('check_type').notNull(),
  channelId: integer('channel_id').notNull(),
  channelType: text('channel_type').notNull(),
  alertConfig: jsonb('alert_config').$type<Record<string, unknown>>().notNull(),
  message: jsonb('message').$type<Record<string, unknown>>().notNull(),
  status: text('status').notNull(),
  attempts: integer('attempts').notNull().default(0),
  nextAttemptAt: timestamptz('next_attempt_at'),
  claimedBy: text('claimed_by'),
  claimedUntil: timestamptz('claimed_until'),
  responseStatus: integer('response_status'),
  notificationResult: text('notification_result'),
  dueAt: timestamptz('due_at').notNull(),
  startedAt: timestamptz('started_at'),
  finishedAt: timestamptz('finished_at'),
  decidedAt: timestamptz('decided_at').notNull(),
  queuedAt: timestamptz('queued_at').notNull(),
  acceptedAt: timestamptz('accepted_at'),
})
