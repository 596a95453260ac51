import type { Definition } from '@vedette/checks'
import type { CheckState, CheckTypeName } from '@vedette/wire'
import { shownState } from '../../db/check-state.ts'
import type { Queryable } from '../../db/database.ts'
import type { ChecksRow } from '../../db/rows.ts'
import type { EffectiveCheck } from '../../settings/resolve-check.ts'
import { effectiveColumns } from '../../settings/store.ts'
import type { SealedDefinition } from './definition/sealed-definition.ts'

/** A row of `checks`. The definition holds masks where secrets are. */
export interface StoredCheck extends Pick<
  ChecksRow,
  | 'id'
  | 'activated'
  | 'offset_sent'
  | 'revision'
  | 'version'
  | 'not_runnable'
  | 'muted_until'
  | 'created_at'
  | 'updated_at'
> {
  type: CheckTypeName
  /** Its locations are ids. */
  definition: Definition
  secrets: Record<string, string>
}

export interface CheckFilter {
  tags: readonly string[]
  checkType: string | undefined
  search: string | undefined
  /** Part of the URL an API check requests. */
  url: string | undefined
  state: CheckState | undefined
  /** Checks of this group, by their order in it. */
  groupId?: number | undefined
  now: Date
}

const columns =
  'c.id, c.type, c.definition, c.secrets, c.activated, c.offset_sent, c.revision, c.version, c.not_runnable, c.muted_until, c.created_at, c.updated_at'

export async function readCheck(
  client: Queryable,
  account: string,
  id: string,
  lock = false,
): Promise<StoredCheck | undefined> {
  const { rows } = await client.query<StoredCheck>(
    `SELECT ${columns} FROM checks c
     WHERE c.account_id = $1 AND c.id = $2 AND c.deleted_at IS NULL ${lock ? 'FOR UPDATE' : ''}`,
    [account, id],
  )
  return rows[0]
}

/** Ids of the checks that fit, in order. */
export async function readCheckIds(client: Queryable, account: string, filter: CheckFilter): Promise<string[]> {
  const { from, values } = matching(account, filter)
  const { rows } = await client.query<{ id: string }>(`SELECT c.id ${from} ORDER BY c.id`, values)
  return rows.map(({ id }) => id)
}

export async function listChecks(
  client: Queryable,
  of: { account: string; filter: CheckFilter },
  page: { limit: number; offset: number },
): Promise<{ checks: StoredCheck[]; total: number }> {
  const { from, values } = matching(of.account, of.filter)
  const { rows } = await client.query<StoredCheck>(
    `SELECT ${columns} ${from} ORDER BY ${of.filter.groupId === undefined ? 'c.created_at' : 'c.group_order'}, c.id
     LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, page.limit, page.offset],
  )
  const count = await client.query<{ total: number }>(`SELECT count(*)::int AS total ${from}`, values)
  return { checks: rows, total: count.rows[0]?.total ?? 0 }
}

function matching(account: string, filter: CheckFilter): { from: string; values: unknown[] } {
  const values: unknown[] = [account]
  const where = ['c.account_id = $1', 'c.deleted_at IS NULL']
  const add = (value: unknown, condition: (parameter: string) => string) => {
    values.push(value)
    where.push(condition(`$${values.length}`))
  }
  if (filter.tags.length > 0) add(filter.tags, (p) => `c.tags && ${p}::text[]`)
  if (filter.checkType !== undefined) add(filter.checkType, (p) => `c.type = ${p}`)
  if (filter.search !== undefined) add(containing(filter.search), (p) => `(c.name ILIKE ${p} OR c.id::text ILIKE ${p})`)
  if (filter.url !== undefined) add(containing(filter.url), (p) => `c.type = 'API' AND c.target ILIKE ${p}`)
  if (filter.groupId !== undefined) add(filter.groupId, (p) => `c.group_id = ${p}`)
  if (filter.state !== undefined) {
    values.push(filter.now)
    const state = shownState(`$${values.length}`)
    add(filter.state, (p) => `${state} = ${p}`)
  }
  const join = filter.state === undefined ? '' : 'JOIN check_status s ON s.check_id = c.id'
  return { from: `FROM checks c ${join} WHERE ${where.join(' AND ')}`, values }
}

const containing = (text: string): string => `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`

/** The columns a write stores besides identity and counters. */
export interface CheckContent {
  account: string
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
  /** null when it is not muted, or for good. */
  mutedUntil: Date | null
  at: Date
}

function contentValues(content: CheckContent): unknown[] {
  const { activated, tags, effective } = effectiveColumns(content.effective)
  return [
    content.account,
    content.id,
    content.type,
    content.definition.name,
    activated,
    tags,
    JSON.stringify(content.definition),
    JSON.stringify(content.secrets),
    content.offsetSent,
    content.notRunnable,
    content.at,
    content.target,
    effective,
    content.host,
  ]
}

export async function insertCheck(client: Queryable, content: CheckContent, alertState: unknown): Promise<void> {
  await client.query(
    `INSERT INTO checks (account_id, id, type, name, activated, tags, definition, secrets, offset_sent, not_runnable,
       created_at, target, effective, host, revision, version)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 1, 1)`,
    contentValues(content),
  )
  await insertRevision(client, content, 1)
  await client.query(
    `INSERT INTO check_status (account_id, check_id, state, alert_state, created_at) VALUES ($1, $2, 'pending', $3, $4)`,
    [content.account, content.id, JSON.stringify(alertState), content.at],
  )
}

/** Replaces the content, as a new revision when the definition to run has changed. */
export async function updateCheck(
  client: Queryable,
  content: CheckContent,
  { revision, isNewRevision }: { revision: number; isNewRevision: boolean },
): Promise<void> {
  if (isNewRevision) await keepSettingsOfRevision(client, content)
  await client.query(
    `UPDATE checks SET type = $3, name = $4, activated = $5, tags = $6, definition = $7, secrets = $8,
       offset_sent = $9, not_runnable = $10, updated_at = $11, target = $12, effective = $13, host = $14,
       revision = $15, muted_until = $16, version = version + 1
     WHERE account_id = $1 AND id = $2`,
    [...contentValues(content), revision, content.mutedUntil],
  )
  if (isNewRevision) await insertRevision(client, content, revision)
}

/** Returns false when another check has the token. `countedFrom` null leaves the start of counting as it is. */
export async function writeEventToken(
  client: Queryable,
  { account, id, token, countedFrom }: { account: string; id: string; token: string; countedFrom: Date | null },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE checks SET event_token = $3, counted_from = coalesce($4, counted_from)
     WHERE account_id = $1 AND id = $2
       AND NOT EXISTS (SELECT 1 FROM checks o WHERE o.event_token = $3 AND o.deleted_at IS NULL AND o.id <> $2)`,
    [account, id, token, countedFrom],
  )
  return rowCount === 1
}

/** Stores the last settings in force with the revision that is replaced, for its runs that are still in flight. */
async function keepSettingsOfRevision(client: Queryable, { account, id }: CheckContent): Promise<void> {
  await client.query(
    `UPDATE check_revisions r SET effective = c.effective FROM checks c
     WHERE c.account_id = $1 AND c.id = $2 AND r.check_id = c.id AND r.revision = c.revision`,
    [account, id],
  )
}

async function insertRevision(client: Queryable, content: CheckContent, revision: number): Promise<void> {
  await client.query(
    `INSERT INTO check_revisions (check_id, revision, account_id, type, name, definition, secrets, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      content.id,
      revision,
      content.account,
      content.type,
      content.definition.name,
      JSON.stringify(content.toRun.definition),
      JSON.stringify(content.toRun.secrets),
      content.at,
    ],
  )
}

/**
 * Soft-deletes the check: results and ledger keep its name until retention, and it does not run or alert any more. Its
 * subscriptions stay while it can be restored.
 */
export async function softDeleteCheck(client: Queryable, account: string, id: string, at: Date): Promise<void> {
  await client.query('UPDATE checks SET deleted_at = $3, activated = false WHERE account_id = $1 AND id = $2', [
    account,
    id,
    at,
  ])
  await client.query('DELETE FROM pending_runs WHERE account_id = $1 AND check_id = $2', [account, id])
}

/** A check that was deleted since then, locked. */
export async function readDeletedCheck(
  client: Queryable,
  account: string,
  id: string,
  since: Date,
): Promise<(StoredCheck & { deleted_at: Date }) | undefined> {
  const { rows } = await client.query<StoredCheck & { deleted_at: Date }>(
    `SELECT ${columns}, c.deleted_at FROM checks c
     WHERE c.account_id = $1 AND c.id = $2 AND c.deleted_at > $3 FOR UPDATE`,
    [account, id, since],
  )
  return rows[0]
}

/** Returns false when another check has its token for events. Events that are to come are counted from now. */
export async function restoreCheck(
  client: Queryable,
  account: string,
  id: string,
  { effective: check, at }: { effective: EffectiveCheck; at: Date },
): Promise<boolean> {
  const { activated, tags, effective } = effectiveColumns(check)
  const { rowCount } = await client.query(
    `UPDATE checks c SET deleted_at = NULL, activated = $3, tags = $5, effective = $6, updated_at = $4, version = version + 1,
       counted_from = CASE WHEN event_token IS NULL THEN counted_from ELSE $4 END
     WHERE account_id = $1 AND id = $2
       AND NOT EXISTS (SELECT 1 FROM checks o WHERE o.event_token = c.event_token AND o.deleted_at IS NULL)`,
    [account, id, activated, at, tags, effective],
  )
  return rowCount === 1
}
