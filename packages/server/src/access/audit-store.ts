import type { AuditAction } from '@vedette/wire'
import type { Queryable } from '../db/database.ts'

/** A resource as the API returns it, secrets masked. */
export type Snapshot = Readonly<Record<string, unknown>>

export interface AuditEntry {
  action: AuditAction
  /** Name of the resource in paths: `checks`, `variables`, … */
  resource: string
  id: string
  before?: Snapshot | undefined
  after?: Snapshot | undefined
}

/** The actor of a change, its account and its request. */
export interface AuditedBy {
  accountId: string
  actor: string
  requestId: string
}

/** Writes the lines of what one request does to resources of one kind. */
export async function insertAudits(
  client: Queryable,
  by: AuditedBy & Pick<AuditEntry, 'action' | 'resource'>,
  entries: readonly Omit<AuditEntry, 'action' | 'resource'>[],
  nowMs: number,
): Promise<void> {
  if (entries.length === 0) return
  const lines = entries.map(({ id, before, after }) => ({ id, before, after }))
  await client.query(
    `INSERT INTO audit_log (account_id, actor, action, resource, resource_id, request_id, at, before, after)
     SELECT $1, $2, $3, $4, r.id, $5, $6, r.before, r.after
     FROM json_to_recordset($7::json) AS r (id text, before jsonb, after jsonb)`,
    [by.accountId, by.actor, by.action, by.resource, by.requestId, new Date(nowMs), JSON.stringify(lines)],
  )
}
