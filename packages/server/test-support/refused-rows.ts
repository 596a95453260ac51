import { afterEach } from 'vitest'
import type { Database } from '../src/db/database.ts'
import type { GivenCheck } from './checks.ts'

export interface Refusal {
  message: string
  /** Default: one that says nothing about the row. */
  sqlState?: string
  /** Which results of the check are refused. Default: all. */
  outcomes?: readonly ('pass' | 'fail' | 'unknown')[]
}

/** Lets the database refuse to store results of a check, until `allow` or the end of the test. */
export function useRefusedRows(database: { readonly db: Database }) {
  const allow = () => database.db.pool.query('DROP TRIGGER IF EXISTS refused_rows ON check_results')
  afterEach(async () => {
    await allow()
  })

  async function refuse(check: GivenCheck, refusal: Refusal): Promise<void> {
    const { message, sqlState = 'P0001', outcomes = ['pass', 'fail', 'unknown'] } = refusal
    await database.db.pool.query(
      `CREATE OR REPLACE FUNCTION refused_rows() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION '${message}' USING ERRCODE = '${sqlState}'; END $$`,
    )
    await database.db.pool.query(
      `CREATE TRIGGER refused_rows BEFORE INSERT ON check_results FOR EACH ROW
       WHEN (NEW.check_id = '${check.id}' AND NEW.outcome = ANY ('{${outcomes.join(',')}}'))
       EXECUTE FUNCTION refused_rows()`,
    )
  }
  return { refuse, allow }
}
