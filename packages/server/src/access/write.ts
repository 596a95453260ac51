import type { Clock } from '@vedette/wire'
import type { PoolClient } from 'pg'
import type { Database } from '../db/database.ts'
import { notFound, preconditionFailed } from '../api-error.ts'
import { undoable } from './savepoint-store.ts'
import { insertAudits, type AuditEntry, type Snapshot } from './audit-store.ts'

/** The caller of a verb: account, actor and request. */
export interface VerbContext {
  accountId: string
  /** For the audit log: `key:<id>`, `user:<id>`, or the part of the program that acts by itself. */
  actor: string
  requestId: string
  /** `If-Match` of the caller: versions it has seen, as entity tags. */
  ifMatch?: string | undefined
}

/** The transaction of one write. */
export interface Change {
  client: PoolClient
  at: Date
  /**
   * Reads and locks the row to change by `row`. Throws a 404 naming `what` when it does not exist, and a 412 when the
   * caller sent the version of another state.
   */
  existing: <Row extends object>(what: string, row: Row | undefined | Promise<Row | undefined>) => Promise<Row>
  /** Writes lines of the audit log, for a write of many resources: its answer does not have to keep them all. */
  audit: (lines: readonly Audited[]) => Promise<void>
}

/** What the audit log says of one resource. */
export interface Audited {
  id: string
  /** The resource before and after the write as the API returns it, secrets masked. */
  before?: Snapshot
  after?: Snapshot
}

/** The outcome of a write, for its caller, the audit log and the parts to notify. */
export interface Written<Answer> extends Audited {
  answer: Answer
  /** Nothing more is audited: nothing was changed, or `audit` wrote every line. */
  unchanged?: boolean
  /** Notifies other parts after the commit. */
  announce?: () => void | Promise<void>
}

export type Write = <Answer>(
  ctx: VerbContext,
  what: What,
  work: (change: Change) => Promise<Written<Answer>>,
) => Promise<Answer>

export interface WriterOptions {
  db: Database
  clock: Clock
  log: { error(details: object, text: string): void }
}

/**
 * Makes the only way to write: a transaction that ends with a row in the audit log, followed by the announcement. A
 * failed announcement is only logged, because the write is committed: the parts concerned read the tables again when
 * they start. A COMMIT that fails may have stored the change, because only its answer was lost: it is announced too.
 */
export function writer({ db, clock, log }: WriterOptions): Write {
  const announce = async ({ announce: tell, id }: Written<unknown>, resource: string) => {
    try {
      await tell?.()
    } catch (error) {
      log.error({ err: error, resource, id }, 'Not every part took note of a change.')
    }
  }
  return async (ctx, what, work) => {
    const nowMs = clock.now()
    let perhapsStored: Written<unknown> | undefined
    try {
      const written = await db.transaction(async (client) => {
        const done = await audited(work, { client, at: new Date(nowMs) }, ctx, what)
        perhapsStored = done
        return done
      })
      return written.answer
    } finally {
      if (perhapsStored !== undefined) await announce(perhapsStored, what.resource)
    }
  }
}

/**
 * Verbs inside the transaction of another write: one that throws is undone alone. `announce` is for the announcement of
 * the whole, and makes those of all that were done.
 */
export function writesWithin({ client, at }: Pick<Change, 'client' | 'at'>): {
  write: Write
  announce: () => Promise<void>
} {
  const announcements: (() => void | Promise<void>)[] = []
  const write: Write = async (ctx, what, work) => {
    const done = await undoable(client, () => audited(work, { client, at }, ctx, what))
    if (done.announce) announcements.push(done.announce)
    return done.answer
  }
  const announce = async () => {
    const failures: unknown[] = []
    for (const tell of announcements)
      try {
        await tell()
      } catch (error) {
        failures.push(error)
      }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} announcements failed.`)
  }
  return { write, announce }
}

type What = Pick<AuditEntry, 'action' | 'resource'>

/** Does the work, and writes its lines of the audit log. */
async function audited<Answer>(
  work: (change: Change) => Promise<Written<Answer>>,
  { client, at }: Pick<Change, 'client' | 'at'>,
  ctx: VerbContext,
  what: What,
): Promise<Written<Answer>> {
  const audit: Change['audit'] = (lines) => insertAudits(client, { ...ctx, ...what }, lines, at.getTime())
  const done = await work({ client, at, existing: existingFor(ctx), audit })
  if (!done.unchanged) await audit([done])
  return done
}

const existingFor =
  ({ ifMatch }: VerbContext): Change['existing'] =>
  async (what, row) => {
    const found = await row
    if (found === undefined) throw notFound(what)
    if ('version' in found && typeof found.version === 'number') refuseOutdated(ifMatch, found.version)
    return found
  }

/** Refuses a writer that read an older version, instead of overwriting the newer one. */
function refuseOutdated(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (tags.includes(`"${version}"`)) return
  throw preconditionFailed(
    `It was changed meanwhile: its version is "${version}", If-Match says ${ifMatch.slice(0, 100)}.`,
  )
}
