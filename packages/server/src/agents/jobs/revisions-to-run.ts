import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/database.ts'
import type { RunRef } from '../../runs.ts'
import type { Vault } from '../../vault.ts'
import { readRevisionsToRun, type RevisionRow } from '../store.ts'

/** The content of a run: a revision with its secrets opened. Never changed after it was made. */
export interface RunnableRevision {
  name: string
  definition: Record<string, unknown>
  /** The definition as text, to search for names of variables. */
  text: string
}

type Found = RunnableRevision | Error

/** Revisions by check and number. They are immutable, so they can be cached. */
export class RevisionsToRun {
  readonly #db: Database
  readonly #vault: Vault
  readonly #kept = new LRUCache<string, RunnableRevision>({ max: 5000 })

  constructor({ db, vault }: { db: Database; vault: Vault }) {
    this.#db = db
    this.#vault = vault
  }

  /** One entry for each ref, in order: the revision, or why it cannot run. */
  async of(refs: readonly Pick<RunRef, 'checkId' | 'revision' | 'accountId'>[]): Promise<Found[]> {
    const missing = refs.filter((ref) => !this.#kept.has(keyOf(ref.checkId, ref.revision)))
    const read = missing.length === 0 ? [] : await readRevisionsToRun(this.#db.pool, missing)
    const opened = new Map<string, Found>()
    for (const row of read) {
      const ref = missing.find((one) => one.checkId === row.check_id)
      if (ref !== undefined) opened.set(keyOf(row.check_id, row.revision), this.#open(row, ref.accountId))
    }
    const found = refs.map(({ checkId, revision }) => {
      const key = keyOf(checkId, revision)
      return this.#kept.get(key) ?? opened.get(key) ?? new Error(`Revision ${revision} of the check is not there.`)
    })
    for (const [key, revision] of opened) if (!(revision instanceof Error)) this.#kept.set(key, revision)
    return found
  }

  #open({ check_id, name, definition, secrets }: RevisionRow, account: string): Found {
    try {
      const whole = structuredClone(definition)
      for (const [path, sealed] of Object.entries(secrets)) {
        setAt(whole, path, this.#vault.open(sealed, { account, table: 'checks', row: check_id, field: path }))
      }
      return { name, definition: whole, text: JSON.stringify(whole) }
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }
}

const keyOf = (checkId: string, revision: number): string => `${checkId}/${revision}`

/** Sets the value at a dotted path; list items are named by their index. */
function setAt(whole: Record<string, unknown>, path: string, value: string): void {
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  let at: unknown = whole
  for (const step of steps) at = isContainer(at) && Object.hasOwn(at, step) ? at[step] : undefined
  if (!isContainer(at)) throw new Error(`The definition has no location for its secret "${path}".`)
  at[last] = value
}

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
