import type { Definition } from '@vedette/checks'
import { isPrivateLocation, type FieldProblem } from '@vedette/wire'
import type { Queryable } from '../../../db/database.ts'
import type { LocationSlugs } from '../../../locations/location-slugs.ts'
import { unknownGroups } from '../../../settings/group-store.ts'
import { unknownSnippets } from '../../snippets/for-verbs.ts'
import { privateLocationsOf } from '../shown-locations.ts'
import { unknownChannels, type CheckSubscription } from '../subscription-store.ts'

interface ReferredKind {
  /** What people call it. */
  kind: string
  /** Fields that name one by its id. */
  paths: readonly string[]
  /** Those of the ids that the account does not have. */
  unknown: (client: Queryable, account: string, ids: readonly number[]) => Promise<ReadonlySet<number>>
}

const snippets: ReferredKind = {
  kind: 'snippet',
  paths: ['setupSnippetId', 'tearDownSnippetId'],
  unknown: unknownSnippets,
}

/** The kinds of resources that checks, and groups of them, name by number. */
const referredKinds: readonly ReferredKind[] = [
  { kind: 'check group', paths: ['groupId'], unknown: unknownGroups },
  snippets,
]

/** What the resources are looked up with that a check may refer to. */
export interface References {
  account: string
  slugs: LocationSlugs
  /** Private locations that the check has already, by id. */
  keptLocations: readonly string[]
}

/** References of a definition, of a check or a group, that the account does not have. Its locations are slugs. */
export async function referenceProblems(
  client: Queryable,
  { account, slugs, keptLocations }: References,
  definition: Definition,
): Promise<FieldProblem[]> {
  const named: FieldProblem[] = []
  for (const referred of referredKinds) named.push(...(await unknownOfKind(client, account, referred, definition)))
  const unknownLocations = privateLocationsOf(definition).flatMap((slug, index) => {
    const id = slugs.idOf(slug, keptLocations)
    const isKnown = id !== undefined && isPrivateLocation(id)
    return isKnown ? [] : unknownReference(`privateLocations.${index}`, 'private location', slug)
  })
  return [
    ...named,
    ...(await snippetProblems(client, account, definition)),
    ...unknownLocations,
    ...(await subscriptionProblems(client, account, definition.alertChannelSubscriptions as CheckSubscription[])),
  ]
}

/** Snippets of a definition that the account does not have. The others stay until the transaction ends. */
export const snippetProblems = (client: Queryable, account: string, definition: Definition): Promise<FieldProblem[]> =>
  unknownOfKind(client, account, snippets, definition)

async function unknownOfKind(
  client: Queryable,
  account: string,
  { kind, paths, unknown }: ReferredKind,
  definition: Definition,
): Promise<FieldProblem[]> {
  const named = paths.filter((path) => typeof definition[path] === 'number')
  if (named.length === 0) return []
  const missing = await unknown(
    client,
    account,
    named.map((path) => definition[path] as number),
  )
  return named
    .filter((path) => missing.has(definition[path] as number))
    .flatMap((path) => unknownReference(path, kind, definition[path]))
}

function unknownReference(path: string, kind: string, id: unknown): FieldProblem[] {
  if (id === null || id === undefined) return []
  return [{ path, message: `names no ${kind} of this account, got ${JSON.stringify(id).slice(0, 100)}` }]
}

async function subscriptionProblems(
  client: Queryable,
  account: string,
  subscriptions: readonly CheckSubscription[] | undefined,
): Promise<FieldProblem[]> {
  if (!subscriptions || subscriptions.length === 0) return []
  const ids = subscriptions.map(({ alertChannelId }) => alertChannelId)
  const unknown = await unknownChannels(client, account, ids)
  return ids.flatMap((id, index) => {
    const path = `alertChannelSubscriptions.${index}.alertChannelId`
    if (unknown.has(id)) return unknownReference(path, 'alert channel', id)
    return ids.indexOf(id) < index ? [{ path, message: `names the alert channel ${id} a second time` }] : []
  })
}
