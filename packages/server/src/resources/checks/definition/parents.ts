import type { AnyCheckType, Definition } from '@vedette/checks'
import { invalidField, type ApiError } from '../../../api-error.ts'
import type { Queryable } from '../../../db/database.ts'
import type { AccountSettings } from '../../../settings/resolve-check.ts'
import { lockAccountSettings, lockChecksOfAccount } from '../../../settings/store.ts'
import { dropLinks, readNames, readParentsAbove, type ParentLink } from '../parent-store.ts'
import { lockChecks } from '../store.ts'
import { refusedTokens } from './event-address.ts'

/** The parents that a definition, as it was sent, names. Undefined when it says nothing of them. */
export const parentsSent = ({ parentCheckIds }: Definition): string[] | undefined =>
  (parentCheckIds as string[] | undefined)?.map((id) => id.toLowerCase())

/**
 * Locks the settings of the account, and then checks that are to be changed together with their parents to be, in one order. While parents are named, no other
 * change of a check of the account is under way: two of them could close a circle that neither sees.
 */
export async function lockWithParents(
  client: Queryable,
  account: string,
  { checks, parents }: { checks: readonly string[]; parents: readonly string[] },
): Promise<AccountSettings> {
  if (parents.length > 0) await lockChecksOfAccount(client, account)
  const settings = await lockAccountSettings(client, account)
  const ids = [...checks, ...parents]
  if (ids.length > 0) await lockChecks(client, account, ids)
  return settings
}

type ParentsOf = (id: string) => readonly string[]

/** A shortest way from the check over parents back to itself, both ends included; undefined when there is none. */
export function circleThrough(id: string, parentsOf: ParentsOf): string[] | undefined {
  const childOf = new Map<string, string>()
  const open = [id]
  for (const at of open)
    for (const parent of parentsOf(at)) {
      if (parent === id) return [...wayTo(at, childOf), id]
      if (childOf.has(parent)) continue
      childOf.set(parent, at)
      open.push(parent)
    }
  return undefined
}

function wayTo(end: string, childOf: ReadonlyMap<string, string>): string[] {
  const way: string[] = []
  for (let at: string | undefined = end; at !== undefined; at = childOf.get(at)) way.unshift(at)
  return way
}

/** Names the circle by the names of its checks. */
export const circleProblem = (names: readonly string[]): string =>
  `must not make a circle: ${names.map((name) => JSON.stringify(name.slice(0, 100))).join(' depends on ')}`

interface Planned {
  id: string
  type: AnyCheckType
  definition: Definition
  /** Undefined when they stay. */
  parents: readonly string[] | undefined
}

interface OfAccount {
  account: string
  /** The parents that checks of the whole write are to have. */
  wantedParents?: ReadonlyMap<string, readonly string[]>
}

/** Why checks cannot be stored because of others: these have their tokens for events, or are above and below them. */
export async function impossible(
  client: Queryable,
  of: OfAccount,
  checks: readonly Planned[],
): Promise<Map<string, ApiError>> {
  return new Map([...(await refusedTokens(client, checks)), ...(await refusedParents(client, of, checks))])
}

/** Why checks cannot have their parents: with those of all others they would form a circle. */
async function refusedParents(
  client: Queryable,
  { account, wantedParents }: OfAccount,
  checks: readonly Planned[],
): Promise<Map<string, ApiError>> {
  const wanted = new Map(wantedParents)
  for (const { id, parents } of checks) if (parents) wanted.set(id, parents)
  const named = [...new Set([...wanted.values()].flat())]
  if (named.length === 0) return new Map()
  const stored = await readParentsAbove(client, account, named)
  const parentsOf: ParentsOf = (id) => wanted.get(id) ?? stored.get(id) ?? []
  const circles = checks.flatMap(({ id, parents }) => {
    const circle = parents && circleThrough(id, parentsOf)
    return circle ? [{ id, circle }] : []
  })
  if (circles.length === 0) return new Map()
  const names = await readNames(
    client,
    circles.flatMap(({ circle }) => circle),
  )
  for (const { id, definition } of checks) names.set(id, String(definition.name))
  return new Map(
    circles.map(({ id, circle }) => {
      const problem = circleProblem(circle.map((one) => names.get(one) ?? one))
      return [id, invalidField('parentCheckIds', problem)]
    }),
  )
}

/**
 * Checks that came back are parents again of those that named them, but not of those that they depend on by now. The caller
 * has locked the checks of the account.
 */
export async function parentAgain(client: Queryable, account: string, ids: readonly string[]): Promise<void> {
  const above = await readParentsAbove(client, account, ids)
  await dropLinks(client, account, closing(above, ids))
}

/** The links to these checks from those above them. */
function closing(above: ReadonlyMap<string, readonly string[]>, ids: readonly string[]): ParentLink[] {
  const parentsOf: ParentsOf = (id) => above.get(id) ?? []
  return ids.flatMap((parentId) => {
    const open = new Set(parentsOf(parentId))
    // What is added on the way is walked too.
    for (const id of open) for (const parent of parentsOf(id)) open.add(parent)
    return [...open].filter((id) => parentsOf(id).includes(parentId)).map((checkId) => ({ checkId, parentId }))
  })
}
