import { checkTypeOf, checkTypes } from '@vedette/checks'
import { RevisionsToRun } from '../agents/jobs/revisions-to-run.ts'
import type { Database } from '../db/database.ts'
import type { Vault } from '../vault.ts'
import type { PassiveCheck } from './decide-check.ts'
import { readPassiveChecks, readPassiveChecksAfter, type PassiveCheckRow } from './store.ts'

const pageSize = 500

export interface CheckLoaderOptions {
  db: Database
  vault: Vault
  log: { error(details: object, text: string): void }
}

/**
 * Reads activated checks of passive types with their secrets. A check whose secrets cannot be opened is logged and left
 * out.
 */
export function checkLoader({ db, vault, log }: CheckLoaderOptions) {
  const types = checkTypes.filter(({ mode }) => mode.kind === 'passive').map(({ type }) => type)
  const revisions = new RevisionsToRun({ db, vault })

  async function open(rows: readonly PassiveCheckRow[]): Promise<PassiveCheck[]> {
    const keys = rows.map(({ id, account_id, revision }) => ({ checkId: id, accountId: account_id, revision }))
    const found = await revisions.of(keys)
    return rows.flatMap((row, at) => {
      const [revision, type] = [found[at], checkTypeOf(row.type)]
      if (revision instanceof Error || revision === undefined) {
        log.error({ err: revision, checkId: row.id }, 'A passive check cannot be read: nothing is decided about it.')
        return []
      }
      if (type?.mode.kind !== 'passive') return []
      const { mode } = type
      const { definition } = revision
      return [{ checkId: row.id, accountId: row.account_id, revision: row.revision, definition, type, mode }]
    })
  }

  return {
    /** False when no passive type is built: then nothing is read. */
    hasTypes: types.length > 0,

    async all(): Promise<PassiveCheck[]> {
      const checks: PassiveCheck[] = []
      let afterId = '00000000-0000-0000-0000-000000000000'
      for (let length = types.length === 0 ? 0 : pageSize; length === pageSize;) {
        const rows = await readPassiveChecksAfter(db.pool, types, { afterId, limit: pageSize })
        checks.push(...(await open(rows)))
        length = rows.length
        afterId = rows.at(-1)?.id ?? afterId
      }
      return checks
    },

    /** The checks of the list that are passive and activated. */
    async some(ids: readonly string[]): Promise<PassiveCheck[]> {
      const rows = await readPassiveChecks(db.pool, types, ids)
      return open(rows)
    },
  }
}
export type CheckLoader = ReturnType<typeof checkLoader>
