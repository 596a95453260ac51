import type { AuditAction, AuditEntry } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { AuditLogRow } from '../../db/rows.ts'

export interface AuditFilter {
  account: string
  resource: string | undefined
  resourceId: string | undefined
  actor: string | undefined
  action: AuditAction | undefined
  /** Epoch milliseconds; `to` does not belong to it. */
  from: number | undefined
  to: number | undefined
}

type Row = Pick<AuditLogRow, 'at' | 'actor' | 'resource' | 'resource_id' | 'request_id'> & {
  id: string
  action: AuditAction
  actor_name: string
  before: AuditEntry['before']
  after: AuditEntry['after']
}

/** Conditions on what is not given are left out, so that each filter has its index. */
function conditionsOf(filter: AuditFilter): { where: string; values: unknown[] } {
  const given: [string, unknown][] = [
    ['account_id =', filter.account],
    ['resource =', filter.resource],
    ['resource_id =', filter.resourceId],
    ['actor =', filter.actor],
    ['action =', filter.action],
    ['at >=', filter.from === undefined ? undefined : new Date(filter.from)],
    ['at <', filter.to === undefined ? undefined : new Date(filter.to)],
  ]
  const used = given.filter(([, value]) => value !== undefined)
  return {
    where: used.map(([condition], n) => `l.${condition} $${n + 1}`).join(' AND '),
    values: used.map(([, value]) => value),
  }
}

/** What people know an actor by. Of an actor that is neither a person nor a key: its own name. */
const nameOf = (kind: 'user' | 'key', table: string, name: string) =>
  `(SELECT n.${name} FROM ${table} n WHERE n.id = CASE WHEN l.actor ~ '^${kind}:[0-9a-f-]{36}$'
     THEN substr(l.actor, ${kind.length + 2})::uuid END)`

/** The newest first. */
export async function listAudit(
  client: Queryable,
  filter: AuditFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ entries: AuditEntry[]; total: number }> {
  const { where, values } = conditionsOf(filter)
  const { rows } = await client.query<Row>(
    `SELECT l.id::text, l.at, l.actor, l.action, l.resource, l.resource_id, l.request_id, l.before, l.after,
       coalesce(${nameOf('user', 'users', 'email')}, ${nameOf('key', 'api_keys', 'name')}, l.actor) AS actor_name
     FROM audit_log l WHERE ${where} ORDER BY l.at DESC, l.id DESC
     LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, limit, offset],
  )
  const count = await client.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM audit_log l WHERE ${where}`,
    values,
  )
  return { entries: rows.map(toEntry), total: count.rows[0]?.total ?? 0 }
}

const toEntry = (row: Row): AuditEntry => ({
  id: row.id,
  at: row.at.toISOString(),
  actor: row.actor,
  actorName: row.actor_name,
  action: row.action,
  resource: row.resource,
  resourceId: row.resource_id,
  requestId: row.request_id,
  before: row.before,
  after: row.after,
})
