import type { Clock, JobVariable } from '@vedette/wire'
import { LRUCache } from 'lru-cache'
import type { Database } from '../db/database.ts'
import type { Vault } from '../vault.ts'
import { readVariables, type VariableRow } from './store.ts'

/** A changed variable reaches runs at latest after this. */
const freshMs = 5000

/** Variables of accounts, opened when a run needs them. */
export class AccountVariables {
  readonly #db: Database
  readonly #vault: Vault
  readonly #known: LRUCache<string, readonly VariableRow[]>

  constructor({ db, vault, clock }: { db: Database; vault: Vault; clock: Clock }) {
    this.#db = db
    this.#vault = vault
    this.#known = new LRUCache({ max: 1000, ttl: freshMs, ttlResolution: 0, perf: clock })
  }

  /** Those that `mentions` says the run names. Throws when a value does not open. */
  async of(accountId: string, mentions: (key: string) => boolean): Promise<JobVariable[]> {
    const rows = await this.#rows(accountId)
    return rows
      .filter(({ key }) => mentions(key))
      .map(({ key, value, secret }) => ({
        key,
        value: this.#vault.open(value, { account: accountId, table: 'variables', row: key, field: 'value' }),
        secret,
      }))
  }

  /** To be called after a variable was written: the next run reads it anew. */
  forget(accountId: string): void {
    this.#known.delete(accountId)
  }

  async #rows(accountId: string): Promise<readonly VariableRow[]> {
    const known = this.#known.get(accountId)
    if (known !== undefined) return known
    const rows = await readVariables(this.#db.pool, accountId)
    this.#known.set(accountId, rows)
    return rows
  }
}
