import type { Queryable } from '../db/database.ts'
import { readParents } from '../alerting/parents/parent-store.ts'
import { holdingParent, type Parent } from '../alerting/parents/parent.ts'
import type { CheckDecision } from './check-decision.ts'
import type { PlannedResult } from './result-row.ts'

interface Decided {
  result: PlannedResult
  check: CheckDecision
}

export interface ParentsOfBatch {
  /** The results as they are to be decided: those of parents before those of their children. */
  inOrder<One extends Decided>(results: readonly One[]): One[]
  /** The parent for which alerts of the check are held back now. */
  holderOf(checkId: string): string | undefined
}

/**
 * The parents of checks that may alert. A batch is one moment: the results of parents are decided first, and what is known of
 * them after the last counts for all results of their children. Parents outside of the batch count as they are stored, and
 * are not locked: what another transaction changes meanwhile is found by the next look at alerts that are held back.
 */
export async function parentsOfBatch(
  client: Queryable,
  fresh: readonly Decided[],
  checks: ReadonlyMap<string, CheckDecision>,
  now: number,
): Promise<ParentsOfBatch> {
  const troubled = new Set(fresh.filter(mayAlert).map(({ check }) => check.row.check_id))
  const children = [...troubled].filter((id) => checks.get(id)?.row.has_parents === true)
  const parents = await readParents(client, children, now)
  const ranks = ranksOf(parents)
  const asDecided = (parent: Parent): Parent => ({ ...parent, state: checks.get(parent.id)?.state ?? parent.state })
  return {
    inOrder: (results) => (parents.size === 0 ? [...results] : results.toSorted(byRank(ranks))),
    holderOf: (checkId) => holdingParent((parents.get(checkId) ?? []).map(asDecided), now)?.id,
  }
}

/** A run at several locations may be decided by one that passes, and be bad by another. */
function mayAlert({ result: { prepared }, check }: Decided): boolean {
  const { outcome, degraded } = prepared.incoming.report.verdict
  return outcome !== 'pass' || degraded || check.row.effective.runParallel
}

const byRank = (ranks: ReadonlyMap<string, number>) => (a: Decided, b: Decided) =>
  (ranks.get(a.check.row.check_id) ?? 0) - (ranks.get(b.check.row.check_id) ?? 0)

/** How many parents stand above a check, one over the other. */
function ranksOf(parents: ReadonlyMap<string, readonly Parent[]>): Map<string, number> {
  const ranks = new Map<string, number>()
  const rankOf = (id: string): number => {
    const known = ranks.get(id)
    if (known !== undefined) return known
    // Parents never form a circle; this ends even if they did.
    ranks.set(id, 0)
    const rank = Math.max(-1, ...(parents.get(id) ?? []).map((parent) => rankOf(parent.id))) + 1
    ranks.set(id, rank)
    return rank
  }
  for (const id of parents.keys()) rankOf(id)
  return ranks
}
