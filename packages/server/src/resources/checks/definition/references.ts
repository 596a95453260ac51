import type { Definition } from '@vedette/checks'
import { isPrivateLocation, type FieldProblem } from '@vedette/wire'
import type { Queryable } from '../../../db/database.ts'
import type { LocationSlugs } from '../../../locations/location-slugs.ts'
import { unknownSnippets } from '../../snippets/index.ts'
import { privateLocationsOf } from '../shown-locations.ts'
import { unknownChannels, type CheckSubscription } from '../subscription-store.ts'

/** Fields that refer to a kind of resource that is not built, and the name of that kind. */
const missingKinds = [['groupId', 'check group']] as const

const snippetFields = ['setupSnippetId', 'tearDownSnippetId'] as const

/** The resources that a check may refer to. */
export interface References {
  account: string
  slugs: LocationSlugs
  /** Private locations that the check has already, by id. */
  keptLocations: readonly string[]
}

/** References of a definition that the account does not have. Its locations are slugs. */
export async function referenceProblems(
  client: Queryable,
  { account, slugs, keptLocations }: References,
  definition: Definition,
): Promise<FieldProblem[]> {
  const named = missingKinds.flatMap(([path, kind]) => unknownReference(path, kind, definition[path]))
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

function unknownReference(path: string, kind: string, id: unknown): FieldProblem[] {
  if (id === null || id === undefined) return []
  return [{ path, message: `names no ${kind} of this account, got ${JSON.stringify(id).slice(0, 100)}` }]
}

/** Snippets of a definition that the account does not have. The others stay until the transaction ends. */
export async function snippetProblems(
  client: Queryable,
  account: string,
  definition: Definition,
): Promise<FieldProblem[]> {
  const named = snippetFields.flatMap((path) => {
    const id = definition[path]
    return typeof id === 'number' ? [{ path, id }] : []
  })
  const ids = named.map(({ id }) => id)
  const unknown = await unknownSnippets(client, account, ids)
  return named.flatMap(({ path, id }) => (unknown.has(id) ? unknownReference(path, 'snippet', id) : []))
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
