import type { FastifyRequest } from 'fastify'
import { insertAudit, type AuditEntry } from '../access/audit-store.ts'
import type { Queryable } from '../db/database.ts'
import './principal.ts'

/** Writes who did what, in the transaction that does it. */
export function audit(client: Queryable, request: FastifyRequest, entry: AuditEntry, nowMs: number): Promise<void> {
  const { accountId, actor } = request.principal
  return insertAudit(client, { accountId, actor, requestId: request.id }, entry, nowMs)
}
