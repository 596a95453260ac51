import type { Queryable } from '../db/database.ts'

export interface AuditEntry {
  action: 'create' | 'update' | 'delete' | 'revoke' | 'run'
  /** Name of the resource in paths: `checks`, `variables`, … */
  resource: string
  id: string
}

/** Who did it, for which account, in which request. */
export interface AuditedBy {
  accountId: string
  actor: string
  requestId: string
}

export async function insertAudit(client: Queryable, by: AuditedBy, entry: AuditEntry, nowMs: number): Promise<void> {
  await client.query(
    `INSERT INTO audit_log (account_id, actor, action, resource, resource_id, request_id, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [by.accountId, by.actor, entry.action, entry.resource, entry.id, by.requestId, new Date(nowMs)],
  )
}
