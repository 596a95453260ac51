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

const jsonOf = (snapshot: Snapshot | undefined): string | null =>
  snapshot === undefined ? null : JSON.stringify(snapshot)

export async function insertAudit(client: Queryable, by: AuditedBy, entry: AuditEntry, nowMs: number): Promise<void> {
  await client.query(
    `INSERT INTO audit_log (account_id, actor, action, resource, resource_id, request_id, at, before, after)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      by.accountId,
      by.actor,
      entry.action,
      entry.resource,
      entry.id,
      by.requestId,
      new Date(nowMs),
      jsonOf(entry.before),
      jsonOf(entry.after),
    ],
  )
}
