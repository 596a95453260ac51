import type { Queryable } from '../../db/database.ts'
import { notFound } from '../../api-error.ts'
import { readCheck, type StoredCheck } from './store.ts'
import { readShownWith, toCheck, type CheckAnswer } from './to-check.ts'

/** A check as the API returns it, and its version. */
export interface VersionedCheck {
  check: CheckAnswer
  version: number
}

/** The check with its subscriptions, as it is at this time. */
export async function answerOf(
  client: Queryable,
  account: string,
  stored: StoredCheck,
  at: Date,
): Promise<VersionedCheck> {
  const shownWith = await readShownWith(client, account, [stored])
  return { check: toCheck(stored, shownWith, at), version: stored.version }
}

/** The stored check with its subscriptions. Throws a 404 when the account has no such check. */
export async function readAnswer(client: Queryable, account: string, id: string, at: Date): Promise<VersionedCheck> {
  const stored = await readCheck(client, account, id)
  if (!stored) throw notFound('check')
  return answerOf(client, account, stored, at)
}
