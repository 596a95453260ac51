import type { Queryable } from '../../db/database.ts'
import { notFound } from '../../api-error.ts'
import { readCheck, type StoredCheck } from './store.ts'
import { withGroupSettings } from './with-group-settings.ts'
import { readShownWith, toCheck, type CheckAnswer } from './to-check.ts'

/** A check as the API returns it, and its version. */
export interface VersionedCheck {
  check: CheckAnswer
  version: number
}

export interface AnswerWith {
  account: string
  /** The answer tells of the check as it is then. */
  at: Date
  /** Answer with the settings in force, those of groups included. */
  applyGroupSettings?: boolean | undefined
}

/** The checks with their subscriptions. */
export async function answersOf(
  client: Queryable,
  stored: readonly StoredCheck[],
  { account, at, applyGroupSettings = false }: AnswerWith,
): Promise<CheckAnswer[]> {
  const grouped = applyGroupSettings ? await withGroupSettings(client, account, stored) : stored
  const shownWith = await readShownWith(client, account, grouped, applyGroupSettings)
  return grouped.map((check) => toCheck(check, shownWith, at))
}

/** The same by id, with their versions. */
export async function answersById(
  client: Queryable,
  stored: Iterable<StoredCheck>,
  of: AnswerWith,
): Promise<Map<string, VersionedCheck>> {
  const all = [...stored]
  if (all.length === 0) return new Map()
  const answers = await answersOf(client, all, of)
  return new Map(answers.map((check, nr) => [check.id, { check, version: all[nr]?.version ?? 0 }]))
}

/** The check with its subscriptions. */
async function answerOf(client: Queryable, stored: StoredCheck, of: AnswerWith): Promise<VersionedCheck> {
  const [check] = await answersOf(client, [stored], of)
  if (!check) throw new Error('One check was passed and none came back')
  return { check, version: stored.version }
}

/** The stored check with its subscriptions. Throws a 404 when the account has no such check. */
export async function readAnswer(client: Queryable, id: string, of: AnswerWith): Promise<VersionedCheck> {
  const stored = await readCheck(client, of.account, id)
  if (!stored) throw notFound('check')
  return answerOf(client, stored, of)
}
