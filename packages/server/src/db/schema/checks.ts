import { bigint, boolean, integer, jsonb, pgTable, primaryKey, real, text, uuid } from 'drizzle-orm/pg-core'
import { accounts } from './accounts.ts'
import { timestamptz, type SealedSecrets } from './column-types.ts'

export const checks = pgTable('checks', {
  id: uuid('id').primaryKey(),
  accountId: uuid('account_id')
    .notNull()
    .references(() => accounts.id),
  type: text('type').notNull(),
  name: text('name').notNull(),
  activated: boolean('activated').notNull(),
  tags: text('tags').array().notNull(),
  definition: jsonb('definition').$type<Record<string, unknown>>().notNull(),
  secrets: jsonb('secrets').$type<SealedSecrets>().notNull(),
  offsetSent: boolean('offset_sent').notNull(),
  revision: integer('revision').notNull(),
  version: integer('version').notNull(),
  notRunnable: text('not_runnable'),
  createdAt: timestamptz('created_at').notNull(),
  updatedAt: timestamptz('updated_at'),
  deletedAt: timestamptz('deleted_at'),
  effective: jsonb('effective').$type<Record<string, unknown>>().notNull(),
})

export const checkRevisions = pgTable(
  'check_revisions',
  {
    checkId: uuid('check_id').notNull(),
    revision: integer('revision').notNull(),
    accountId: uuid('account_id').notNull(),
    type: text('type').notNull(),
    name: text('name').notNull(),
    definition: jsonb('definition').$type<Record<string, unknown>>().notNull(),
    secrets: jsonb('secrets').$type<SealedSecrets>().notNull(),
    createdAt: timestamptz('created_at').notNull(),
    effective: jsonb('effective').$type<Record<string, unknown>>(),
  },
  (t) => [primaryKey({ columns: [t.checkId, t.revision] })],
)

export const checkStatus = pgTable('check_status', {
  checkId: uuid('check_id').primaryKey(),
  accountId: uuid('account_id').notNull(),
  state: text('state').notNull(),
  stateSince: timestamptz('state_since'),
  cause: text('cause'),
  hasFailures: boolean('has_failures').notNull().default(false),
  hasErrors: boolean('has_errors').notNull().default(false),
  isDegraded: boolean('is_degraded').notNull().default(false),
  failingLocations: text('failing_locations').array().notNull().default([]),
  longestRun: real('longest_run'),
  shortestRun: real('shortest_run'),
  lastRunLocation: text('last_run_location'),
  lastCheckRunId: bigint('last_check_run_id', { mode: 'number' }),
  lastResultId: uuid('last_result_id'),
  lastRunAt: timestamptz('last_run_at'),
  lastPassAt: timestamptz('last_pass_at'),
  sslNotAfter: timestamptz('ssl_not_after'),
  overlapCount: integer('overlap_count').notNull().default(0),
  alertState: jsonb('alert_state').$type<Record<string, unknown>>().notNull(),
  createdAt: timestamptz('created_at').notNull(),
  updatedAt: timestamptz('updated_at'),
})

export const variables = pgTable(
  'variables',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    key: text('key').notNull(),
    value: text('value').notNull(),
    locked: boolean('locked').notNull(),
    secret: boolean('secret').notNull(),
    version: integer('version').notNull(),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at'),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.key] })],
)
