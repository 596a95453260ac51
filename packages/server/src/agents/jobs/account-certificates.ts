import { hash } from 'node:crypto'
import { isHostOf } from '@vedette/checks'
import type { Clock, JobClientCertificate } from '@vedette/wire'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/database.ts'
import {
  openCertificateKey,
  readClientCertificates,
  type CertificateRow,
} from '../../settings/client-certificate-store.ts'
import type { Vault } from '../../vault.ts'

/** A changed certificate reaches runs after this at the latest. */
const freshMs = 5000

/** Opens the client certificates of accounts when a run needs them. */
export class AccountCertificates {
  readonly #db: Database
  readonly #vault: Vault
  readonly #known: LRUCache<string, readonly CertificateRow[]>

  constructor({ db, vault, clock }: { db: Database; vault: Vault; clock: Clock }) {
    this.#db = db
    this.#vault = vault
    this.#known = new LRUCache({ max: 1000, ttl: freshMs, ttlResolution: 0, perf: clock })
  }

  /** Those that a run may present to these hosts, newest first. Throws when a key cannot be opened. */
  async forHosts(accountId: string, hosts: readonly string[] | 'any'): Promise<JobClientCertificate[]> {
    if (hosts.length === 0) return []
    const rows = await this.#rows(accountId)
    const needed = rows.filter((row) => hosts === 'any' || hosts.some((host) => isHostOf(row.host, host)))
    return needed.map(({ id, host, cert, ca, key }) => ({
      host,
      cert,
      ca,
      key: openCertificateKey(this.#vault, accountId, { id, key }),
    }))
  }

  /** Changes with what is stored. */
  async fingerprint(accountId: string): Promise<string> {
    return hash('sha256', JSON.stringify(await this.#rows(accountId)))
  }

  /** Call after a certificate was written: the next run reads them anew. */
  forget(accountId: string): void {
    this.#known.delete(accountId)
  }

  async #rows(accountId: string): Promise<readonly CertificateRow[]> {
    const known = this.#known.get(accountId)
    if (known !== undefined) return known
    const rows = await readClientCertificates(this.#db.pool, accountId)
    this.#known.set(accountId, rows)
    return rows
  }
}
