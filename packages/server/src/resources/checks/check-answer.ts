import type { Queryable } from '../../db/database.ts'
import { notFound } from '../../api-error.ts'
import { readCheck, type StoredCheck } from './store.ts'
import { withGroupSettings } from './with-group-settings.ts'
import type { SubscribedChannel } from './subscription-store.ts'
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
  /** Subscriptions of the check, if they are known already. */
  channels?: readonly SubscribedChannel[] | undefined
  /** Answer with the settings in force, those of groups included. */
  applyGroupSettings?: boolean | undefined
}

/** The checks with their subscriptions. */
export async function answersOf(
  client: Queryable,
  stored: readonly StoredCheck[],
  { account, at, channels, applyGroupSettings = false }: AnswerWith,
): Promise<CheckAnswer[]> {
  const grouped = applyGroupSettings ? await withGroupSettings(client, account, stored) : stored
  const shownWith = await readShownWith(client, account, grouped, { known: channels, withGroups: applyGroupSettings })
  return grouped.map((check) => toCheck(check, shownWith, at))
}

/** The check with its subscriptions. */
export async function answerOf(client: Queryable, stored: StoredCheck, of: AnswerWith): Promise<VersionedCheck> {
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
