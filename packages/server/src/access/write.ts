import type { Clock } from '@vedette/wire'
import type { PoolClient } from 'pg'
import type { Database } from '../db/database.ts'
import { notFound, preconditionFailed } from '../api-error.ts'
import { undoable } from './savepoint-store.ts'
import { insertAudit, type AuditEntry, type Snapshot } from './audit-store.ts'

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
  existing: <Row extends object>(what: string, row: Promise<Row | undefined>) => Promise<Row>
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
  /** Further resources that were changed at once, in the same way. */
  others?: readonly Audited[]
  /** Nothing was changed, and nothing is audited. */
  unchanged?: boolean
  /** Notifies other parts after the commit. */
  announce?: () => void | Promise<void>
}

export type Write = <Answer>(
  ctx: VerbContext,
  what: Pick<AuditEntry, 'action' | 'resource'>,
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
  return async (ctx, { action, resource }, work) => {
    const nowMs = clock.now()
    let perhapsStored: Written<unknown> | undefined
    try {
      const written = await db.transaction(async (client) => {
        const done = await work({ client, at: new Date(nowMs), existing: existingFor(ctx) })
        for (const { id, before, after } of done.unchanged ? [] : [done, ...(done.others ?? [])])
          await insertAudit(client, ctx, { action, resource, id, before, after }, nowMs)
        perhapsStored = done
        return done
      })
      return written.answer
    } finally {
      if (perhapsStored !== undefined) await announce(perhapsStored, resource)
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
  const write: Write = async (ctx, { action, resource }, work) => {
    const done = await undoable(client, async () => {
      const written = await work({ client, at, existing: existingFor(ctx) })
      for (const { id, before, after } of written.unchanged ? [] : [written, ...(written.others ?? [])])
        await insertAudit(client, ctx, { action, resource, id, before, after }, at.getTime())
      return written
    })
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
