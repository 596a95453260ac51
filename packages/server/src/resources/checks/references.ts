import type { Definition } from '@vedette/checks'
import type { FieldProblem } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import { unknownChannels, type CheckSubscription } from './subscription-store.ts'

/** Fields that name a thing of a kind, and what the kind is called. No account has things of these kinds. */
const missingKinds = [
  ['groupId', 'check group'],
  ['setupSnippetId', 'snippet'],
  ['tearDownSnippetId', 'snippet'],
] as const

/** What a definition refers to and the account does not have. */
export async function referenceProblems(
  client: Queryable,
  account: string,
  definition: Definition,
): Promise<FieldProblem[]> {
  const named = missingKinds.flatMap(([path, kind]) => unknownReference(path, kind, definition[path]))
  const places = Array.isArray(definition.privateLocations) ? definition.privateLocations : []
  return [
    ...named,
    ...places.flatMap((place, index) => unknownReference(`privateLocations.${index}`, 'private location', place)),
    ...(await subscriptionProblems(client, account, definition.alertChannelSubscriptions as CheckSubscription[])),
  ]
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
