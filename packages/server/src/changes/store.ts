import type { Queryable } from '../db/database.ts'
import type { ChangesRow } from '../db/rows.ts'

/** Kinds of changes, as the triggers of the tables name them. */
export type ChangeKind =
  | 'check.created'
  | 'check.updated'
  | 'check.deleted'
  | 'check.acknowledged'
  | 'run.requested'
  | 'session.cancelled'
  | 'session.ended'
  | 'event'
  | 'notification'
  | 'variables'
  | 'client-certificates'
  | 'agent-keys'
  | 'credentials'

/** What another server has written. */
export interface Change {
  kind: ChangeKind
  /** null for what belongs to the installation. */
  accountId: string | null
  /** Of what was written; of the check for runs, events and sessions that ended. */
  ids: string[]
}

/** What a server has seen, as PostgreSQL describes it: the transactions that had ended. */
export type Position = string

export async function readPosition(db: Queryable): Promise<Position> {
  const { rows } = await db.query<{ position: Position }>('SELECT pg_current_snapshot()::text AS position')
  return rows[0]?.position ?? ''
}

interface ChangeRow extends Pick<ChangesRow, 'account_id'> {
  kind: ChangeKind
  ids: string[]
}

/**
 * Changes of other servers whose transactions had not ended at this position, and the position now. None is read twice
 * and none is missed, in whatever order transactions end.
 */
export async function readChanges(
  db: Queryable,
  { self, since }: { self: string; since: Position },
): Promise<{ changes: Change[]; position: Position }> {
  const { rows } = await db.query<{ position: Position; changes: ChangeRow[] }>(
    `SELECT pg_current_snapshot()::text AS position, coalesce((
       SELECT json_agg(json_build_object('kind', kind, 'account_id', account_id, 'ids', ids) ORDER BY id) FROM changes
       WHERE transaction >= pg_snapshot_xmin($1::pg_snapshot)::text::bigint
         AND NOT pg_visible_in_snapshot(transaction::text::xid8, $1::pg_snapshot) AND server <> $2), '[]') AS changes`,
    [since, self],
  )
  const read = rows[0] ?? { position: since, changes: [] }
  return {
    position: read.position,
    changes: read.changes.map(({ kind, account_id, ids }) => ({ kind, accountId: account_id, ids })),
  }
}

/** Deletes changes that every server has seen or, if it was away for so long, has read anew since. */
export async function deleteOldChanges(db: Queryable, minutes: number): Promise<void> {
  await db.query('DELETE FROM changes WHERE at < now() - make_interval(mins => $1)', [minutes])
}
