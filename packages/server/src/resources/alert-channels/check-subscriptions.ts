import type { Queryable } from '../../db/database.ts'
import { invalid, type FieldError } from '../../api-error.ts'
import { knownGroups } from '../../settings/group-store.ts'
import { unknownChecks, type WantedSubscription } from './subscription-store.ts'

/** A subscription as a caller sends it. */
export interface SentSubscription {
  checkId?: string | null | undefined
  groupId?: number | null | undefined
  activated: boolean
}

/** Subscriptions as they are stored. Throws a 400 that names each invalid one, with paths below `prefix`. */
export async function checkSubscriptions(
  client: Queryable,
  account: string,
  sent: readonly SentSubscription[],
  prefix: (index: number) => string,
): Promise<WantedSubscription[]> {
  const wanted = sent.map(({ checkId, groupId, activated }) => ({
    checkId: checkId?.toLowerCase() ?? null,
    groupId: groupId ?? null,
    activated,
  }))
  const unknown = await unknownChecks(
    client,
    account,
    wanted.flatMap(({ checkId }) => checkId ?? []),
  )
  const groups = await knownGroups(
    client,
    account,
    wanted.flatMap(({ groupId }) => groupId ?? []),
  )
  const problems = wanted.flatMap((one, index) => {
    const problem = problemOf(one, wanted.slice(0, index), { unknown, groups })
    return problem ? [{ ...problem, path: `${prefix(index)}${problem.path}` }] : []
  })
  if (problems.length > 0) throw invalid(problems)
  return wanted
}

function problemOf(
  { checkId, groupId }: WantedSubscription,
  before: readonly WantedSubscription[],
  { unknown, groups }: { unknown: ReadonlySet<string>; groups: ReadonlySet<number> },
): FieldError | undefined {
  if (checkId !== null && groupId !== null)
    return { path: 'groupId', message: 'must not be sent together with checkId' }
  if (groupId !== null) return problemOfGroup(groupId, before, groups)
  if (checkId === null) return { path: 'checkId', message: 'is required: name a check or a group' }
  if (unknown.has(checkId)) return { path: 'checkId', message: `names no check of this account, got "${checkId}"` }
  const twice = before.some((other) => other.checkId === checkId)
  return twice ? { path: 'checkId', message: `names the check "${checkId}" a second time` } : undefined
}

function problemOfGroup(
  groupId: number,
  before: readonly WantedSubscription[],
  groups: ReadonlySet<number>,
): FieldError | undefined {
  if (!groups.has(groupId)) return { path: 'groupId', message: `names no check group of this account, got ${groupId}` }
  const twice = before.some((other) => other.groupId === groupId)
  return twice ? { path: 'groupId', message: `names the check group ${groupId} a second time` } : undefined
}
