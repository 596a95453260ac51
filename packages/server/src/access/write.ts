import type { Clock } from '@vedette/wire'
import type { PoolClient } from 'pg'
import type { Database } from '../db/database.ts'
import { notFound, preconditionFailed } from '../api-error.ts'
import { insertAudit, type AuditEntry, type Snapshot } from './audit-store.ts'

/** Who does something, for which account and in which request: what a verb knows of its caller. */
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
   * What is to be changed, as `row` reads and locks it. Throws a 404 naming `what` when it is not there, and a 412 when
   * the caller has seen another version of it.
   */
  existing: <Row extends object>(what: string, row: Promise<Row | undefined>) => Promise<Row>
}

/** What a write did, for its caller, the audit log and whoever else has to know. */
export interface Written<Answer> {
  id: string
  answer: Answer
  /** The thing before and after, as the API answers it: secrets are masked in it. */
  before?: Snapshot
  after?: Snapshot
  /** Tells other parts once it is committed. */
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
 * Makes the one way to write: a transaction that ends with a line in the audit log, and the announcement after it. A
 * failed announcement does not make the caller believe that nothing was written: the parts concerned read the tables
 * again when they start.
 */
export function writer({ db, clock, log }: WriterOptions): Write {
  return async (ctx, { action, resource }, work) => {
    const nowMs = clock.now()
    const written = await db.transaction(async (client) => {
      const done = await work({ client, at: new Date(nowMs), existing: existingFor(ctx) })
      const { id, before, after } = done
      await insertAudit(client, ctx, { action, resource, id, before, after }, nowMs)
      return done
    })
    try {
      await written.announce?.()
    } catch (error) {
      log.error({ err: error, resource, id: written.id }, 'A change was stored, but not every part took note of it.')
    }
    return written.answer
  }
}

const existingFor =
  ({ ifMatch }: VerbContext): Change['existing'] =>
  async (what, row) => {
    const found = await row
    if (found === undefined) throw notFound(what)
    if ('version' in found && typeof found.version === 'number') refuseOutdated(ifMatch, found.version)
    return found
  }

/** A writer that read an older version is refused instead of overwriting. */
function refuseOutdated(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (tags.includes(`"${version}"`)) return
  throw preconditionFailed(
    `It was changed meanwhile: its version is "${version}", If-Match says ${ifMatch.slice(0, 100)}.`,
  )
}
