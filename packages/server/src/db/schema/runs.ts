import { bigint, boolean, integer, jsonb, pgTable, primaryKey, real, text, uuid } from 'drizzle-orm/pg-core'
import { accounts } from './accounts.ts'
import { bytea, timestamptz } from './column-types.ts'

export const checkResults = pgTable(
  'check_results',
  {
    dueAt: timestamptz('due_at').notNull(),
    id: uuid('id').notNull(),
    accountId: uuid('account_id').notNull(),
    checkId: uuid('check_id').notNull(),
    revision: integer('revision').notNull(),
    location: text('location').notNull(),
    resultType: text('result_type').notNull(),
    outcome: text('outcome').notNull(),
    hasFailures: boolean('has_failures').notNull(),
    hasErrors: boolean('has_errors').notNull(),
    isDegraded: boolean('is_degraded').notNull(),
    overMax: boolean('over_max').notNull(),
    isCancelled: boolean('is_cancelled').notNull().default(false),
    attempts: integer('attempts').notNull(),
    checkRunId: bigint('check_run_id', { mode: 'number' }).notNull(),
    sequenceId: uuid('sequence_id').notNull(),
    responseMs: real('response_ms'),
    startedAt: timestamptz('started_at'),
    stoppedAt: timestamptz('stopped_at'),
    receivedAt: timestamptz('received_at').notNull(),
    late: boolean('late').notNull(),
    emulated: boolean('emulated').notNull(),
    clockOffsetMs: real('clock_offset_ms').notNull(),
    timingUncertaintyMs: real('timing_uncertainty_ms').notNull(),
    source: text('source').notNull(),
    cause: text('cause'),
    body: jsonb('body').$type<Record<string, unknown>>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.dueAt, t.id] })],
)

export const pendingRuns = pgTable('pending_runs', {
  attemptId: uuid('attempt_id').primaryKey(),
  accountId: uuid('account_id').notNull(),
  checkId: uuid('check_id').notNull(),
  revision: integer('revision').notNull(),
  type: text('type').notNull(),
  dueAt: timestamptz('due_at').notNull(),
  runAt: timestamptz('run_at').notNull(),
  location: text('location').notNull(),
  workerClass: text('worker_class').notNull(),
  attempt: integer('attempt').notNull(),
  sequenceId: uuid('sequence_id').notNull(),
  source: text('source').notNull(),
  createdAt: timestamptz('created_at').notNull(),
})

export const coverageGaps = pgTable('coverage_gaps', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  accountId: uuid('account_id'),
  scope: text('scope').notNull(),
  checkId: uuid('check_id'),
  location: text('location'),
  fromAt: timestamptz('from_at').notNull(),
  toAt: timestamptz('to_at').notNull(),
  reason: text('reason').notNull(),
})

export const leadership = pgTable('leadership', {
  role: text('role').primaryKey(),
  holder: text('holder').notNull(),
  epoch: bigint('epoch', { mode: 'number' }).notNull(),
  expiresAt: timestamptz('expires_at').notNull(),
  watermark: timestamptz('watermark'),
})

export const agentKeys = pgTable('agent_keys', {
  id: uuid('id').primaryKey(),
  kind: text('kind').notNull(),
  accountId: uuid('account_id').references(() => accounts.id),
  location: text('location').notNull(),
  hash: bytea('hash').notNull(),
  masked: text('masked').notNull(),
  createdAt: timestamptz('created_at').notNull(),
  revokedAt: timestamptz('revoked_at'),
})
