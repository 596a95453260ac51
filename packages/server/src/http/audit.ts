import type { FastifyRequest } from 'fastify'
import type { Queryable } from '../db/database.ts'
import './principal.ts'

export interface AuditEntry {
  action: 'create' | 'update' | 'delete' | 'revoke' | 'run'
  /** Name of the resource in paths: `checks`, `variables`, … */
  resource: string
  id: string
}

/** Writes who did what, in the transaction that does it. */
export async function audit(
  client: Queryable,
  request: FastifyRequest,
  entry: AuditEntry,
  nowMs: number,
): Promise<void> {
  const { accountId, actor } = request.principal
  await client.query(
    `INSERT INTO audit_log (account_id, actor, action, resource, resource_id, request_id, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [accountId, actor, entry.action, entry.resource, entry.id, request.id, new Date(nowMs)],
  )
}
