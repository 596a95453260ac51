import { checkTypeOf, checkTypes } from '@vedette/checks'
import { RevisionsToRun } from '../agents/jobs/revisions-to-run.ts'
import type { Database } from '../db/database.ts'
import type { Vault } from '../vault.ts'
import { cutText, storableText } from '../storable.ts'
import type { PassiveCheck, UnreadableCheck } from './decide-check.ts'
import { readPassiveChecks, readPassiveChecksAfter, type PassiveCheckRow } from './store.ts'

const pageSize = 500

export type LoadedCheck = PassiveCheck | UnreadableCheck

const longestProblem = 500

/** The words of an error, fit for a result. */
export const problemOf = (error: unknown): string =>
  storableText(cutText(error instanceof Error ? error.message : String(error), longestProblem))

export interface CheckLoaderOptions {
  db: Database
  vault: Vault
  log: { error(details: object, text: string): void }
}

/** Reads activated checks of passive types with their secrets. */
export function checkLoader({ db, vault, log }: CheckLoaderOptions) {
  const types = checkTypes.filter(({ mode }) => mode.kind === 'passive').map(({ type }) => type)
  const revisions = new RevisionsToRun({ db, vault })

  async function open(rows: readonly PassiveCheckRow[]): Promise<LoadedCheck[]> {
    const keys = rows.map(({ id, account_id, revision }) => ({ checkId: id, accountId: account_id, revision }))
    const found = await revisions.of(keys)
    return rows.flatMap((row, at): LoadedCheck[] => {
      const [revision, type] = [found[at], checkTypeOf(row.type)]
      if (type?.mode.kind !== 'passive') return []
      const named = { checkId: row.id, accountId: row.account_id, revision: row.revision, type }
      if (revision instanceof Error || revision === undefined) {
        log.error({ err: revision, checkId: row.id }, 'A passive check cannot be read: nothing is decided about it.')
        return [{ ...named, problem: problemOf(revision ?? 'its newest revision is not stored.') }]
      }
      return [{ ...named, definition: revision.definition, mode: type.mode }]
    })
  }

  return {
    /** False when no passive type is built: then nothing is read. */
    hasTypes: types.length > 0,

    async all(): Promise<LoadedCheck[]> {
      const checks: LoadedCheck[] = []
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
    async some(ids: readonly string[]): Promise<LoadedCheck[]> {
      const rows = await readPassiveChecks(db.pool, types, ids)
      return open(rows)
    },
  }
}
export type CheckLoader = ReturnType<typeof checkLoader>
