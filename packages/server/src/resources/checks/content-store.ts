import type { Definition } from '@vedette/checks'
import type { CheckTypeName } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { EffectiveCheck } from '../../settings/resolve-check.ts'
import { effectiveColumns } from '../../settings/store.ts'
import type { SealedDefinition } from './definition/sealed-definition.ts'

/** What a write stores of a check besides identity and counters. */
export interface CheckContent {
  id: string
  type: CheckTypeName
  definition: Definition
  secrets: Record<string, string>
  /** What its runs are given: with what its group adds. */
  toRun: SealedDefinition
  /** The target, as the check type describes it. */
  target: string
  /** The host of it, as the list filters and groups by it. */
  host: string
  effective: EffectiveCheck
  offsetSent: boolean
  notRunnable: string | null
  /** The token that identifies it in events; null for types without one. */
  eventToken: string | null
}

export interface ChangedContent extends CheckContent {
  /** Start of counting its events anew; null leaves it as it is. */
  countedFrom: Date | null
  /** null when it is not muted, or for good. */
  mutedUntil: Date | null
  /** The definition to run has changed. */
  isNewRevision: boolean
}

interface WrittenAt {
  account: string
  at: Date
}

/** Contents as rows of `sent`, with what each of them has besides. */
const sentRows = (more: string): string => `sent AS (SELECT * FROM json_to_recordset($3::json) AS r (id uuid, type text,
  name text, definition jsonb, secrets jsonb, to_run jsonb, to_run_secrets jsonb, target text, host text,
  activated boolean, tags jsonb, effective jsonb, offset_sent boolean, not_runnable text, event_token uuid${more}))`

const sentTags = 'ARRAY(SELECT jsonb_array_elements_text(sent.tags))'

const recordOf = (content: CheckContent) => ({
  id: content.id,
  type: content.type,
  name: content.definition.name,
  definition: content.definition,
  secrets: content.secrets,
  to_run: content.toRun.definition,
  to_run_secrets: content.toRun.secrets,
  target: content.target,
  host: content.host,
  ...effectiveColumns(content.effective),
  offset_sent: content.offsetSent,
  not_runnable: content.notRunnable,
  event_token: content.eventToken,
})

/** Stores new checks, of which nothing is known yet. */
export async function insertChecks(
  client: Queryable,
  { account, at, alertState }: WrittenAt & { alertState: unknown },
  contents: readonly CheckContent[],
): Promise<void> {
  if (contents.length === 0) return
  await client.query(
    `WITH ${sentRows('')},
     made AS (INSERT INTO checks (account_id, id, type, name, activated, tags, definition, secrets, offset_sent,
         not_runnable, event_token, created_at, target, effective, host, revision, version)
       SELECT $1, id, type, name, activated, ${sentTags}, definition, secrets, offset_sent, not_runnable, event_token,
         $2, target, effective, host, 1, 1 FROM sent),
     first AS (INSERT INTO check_revisions (check_id, revision, account_id, type, name, definition, secrets, created_at)
       SELECT id, 1, $1, type, name, to_run, to_run_secrets, $2 FROM sent)
     INSERT INTO check_status (account_id, check_id, state, alert_state, created_at)
     SELECT $1, id, 'pending', $4::jsonb, $2 FROM sent`,
    [account, at, JSON.stringify(contents.map(recordOf)), JSON.stringify(alertState)],
  )
}

/**
 * Replaces the contents of stored checks, as a new revision where the definition to run has changed. The one before keeps
 * the settings in force, for its runs that are still in flight.
 */
export async function updateChecks(
  client: Queryable,
  { account, at }: WrittenAt,
  contents: readonly ChangedContent[],
): Promise<void> {
  if (contents.length === 0) return
  const rows = contents.map((one) => ({
    ...recordOf(one),
    muted_until: one.mutedUntil,
    counted_from: one.countedFrom,
    is_new_revision: one.isNewRevision,
  }))
  await client.query(
    `WITH ${sentRows(', muted_until timestamptz, counted_from timestamptz, is_new_revision boolean')},
     kept AS (UPDATE check_revisions r SET effective = c.effective FROM checks c JOIN sent ON sent.id = c.id
       WHERE c.account_id = $1 AND sent.is_new_revision AND r.check_id = c.id AND r.revision = c.revision),
     next AS (INSERT INTO check_revisions (check_id, revision, account_id, type, name, definition, secrets, created_at)
       SELECT c.id, c.revision + 1, $1, sent.type, sent.name, sent.to_run, sent.to_run_secrets, $2
       FROM checks c JOIN sent ON sent.id = c.id WHERE c.account_id = $1 AND sent.is_new_revision)
     UPDATE checks c SET type = sent.type, name = sent.name, activated = sent.activated, tags = ${sentTags},
       definition = sent.definition, secrets = sent.secrets, offset_sent = sent.offset_sent,
       not_runnable = sent.not_runnable, updated_at = $2, target = sent.target, effective = sent.effective,
       host = sent.host, revision = c.revision + sent.is_new_revision::int, muted_until = sent.muted_until,
       event_token = sent.event_token, counted_from = coalesce(sent.counted_from, c.counted_from),
       version = c.version + 1
     FROM sent WHERE c.account_id = $1 AND c.id = sent.id`,
    [account, at, JSON.stringify(rows)],
  )
}

/** Those of the checks whose token for events another check has. */
export async function takenEventTokens(
  client: Queryable,
  tokens: readonly { id: string; token: string }[],
): Promise<Set<string>> {
  if (tokens.length === 0) return new Set()
  const { rows } = await client.query<{ id: string }>(
    `SELECT r.id FROM json_to_recordset($1::json) AS r (id uuid, token uuid)
     CROSS JOIN LATERAL (SELECT 1 FROM checks o
       WHERE o.event_token = r.token AND o.deleted_at IS NULL AND o.id <> r.id LIMIT 1) other`,
    [JSON.stringify(tokens)],
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * Soft-deletes checks: results and ledger keep their names until retention, and they do not run or alert any more. Their
 * subscriptions stay while they can be restored. The schedule takes their runs back, and ends what waits for these.
 */
export async function softDeleteChecks(client: Queryable, account: string, ids: readonly string[], at: Date) {
  await client.query(
    'UPDATE checks SET deleted_at = $3, activated = false WHERE account_id = $1 AND id = ANY($2::uuid[])',
    [account, ids, at],
  )
}

/**
 * Returns the checks that are back: another check may have the token for events of one, the first of several with one
 * token included. Events that are to come are counted from now.
 */
export async function restoreChecks(
  client: Queryable,
  { account, at }: WrittenAt,
  checks: readonly { id: string; effective: EffectiveCheck }[],
): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>(
    `WITH sent AS (SELECT r.*, row_number() OVER (PARTITION BY c.event_token ORDER BY r.id) AS nr
       FROM json_to_recordset($3::json) AS r (id uuid, activated boolean, tags jsonb, effective jsonb)
       JOIN checks c ON c.id = r.id)
     UPDATE checks c SET deleted_at = NULL, activated = sent.activated, tags = ${sentTags}, effective = sent.effective,
       updated_at = $2, version = c.version + 1,
       counted_from = CASE WHEN c.event_token IS NULL THEN c.counted_from ELSE $2 END
     FROM sent WHERE c.account_id = $1 AND c.id = sent.id AND (c.event_token IS NULL OR sent.nr = 1)
       AND NOT EXISTS (SELECT 1 FROM checks o WHERE o.event_token = c.event_token AND o.deleted_at IS NULL)
     RETURNING c.id`,
    [account, at, JSON.stringify(checks.map(({ id, effective }) => ({ id, ...effectiveColumns(effective) })))],
  )
  return new Set(rows.map(({ id }) => id))
}
