import { hash } from 'node:crypto'
import { variablesInForce } from '@vedette/checks'
import type { Clock, JobVariable } from '@vedette/wire'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/database.ts'
import { openVariable, readVariables, type VariableRow } from '../../settings/variable-store.ts'
import type { Vault } from '../../vault.ts'

/** A changed variable reaches runs after this at the latest. */
const freshMs = 5000

/** Opens the variables of accounts when a run needs them. */
export class AccountVariables {
  readonly #db: Database
  readonly #vault: Vault
  readonly #known: LRUCache<string, readonly VariableRow[]>

  constructor({ db, vault, clock }: { db: Database; vault: Vault; clock: Clock }) {
    this.#db = db
    this.#vault = vault
    this.#known = new LRUCache({ max: 1000, ttl: freshMs, ttlResolution: 0, perf: clock })
  }

  /**
   * The account variables that the run uses (`mentions`), and the check's own. Throws when a value cannot be opened.
   */
  async withOwn(
    accountId: string,
    own: readonly JobVariable[],
    mentions: (key: string) => boolean,
  ): Promise<JobVariable[]> {
    const rows = (await this.#rows(accountId)).filter(({ key }) => mentions(key))
    const account = rows.map((row) => ({
      key: row.key,
      open: () => ({ key: row.key, value: openVariable(this.#vault, accountId, row), secret: row.secret }),
    }))
    const check = own.map((variable) => ({ key: variable.key, open: () => variable }))
    return variablesInForce({ account, check }).map(({ open }) => open())
  }

  /** Changes with what is stored. */
  async fingerprint(accountId: string): Promise<string> {
    return hash('sha256', JSON.stringify(await this.#rows(accountId)))
  }

  /** Call after a variable was written: the next run reads the variables anew. */
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
