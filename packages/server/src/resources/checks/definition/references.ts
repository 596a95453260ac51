import type { Definition } from '@vedette/checks'
import { isPrivateLocation, type FieldProblem } from '@vedette/wire'
import type { Queryable } from '../../../db/database.ts'
import type { LocationSlugs } from '../../../locations/location-slugs.ts'
import { unknownGroups } from '../../../settings/group-store.ts'
import { unknownSnippets } from '../../snippets/for-verbs.ts'
import { privateLocationsOf } from '../shown-locations.ts'
import { unknownChecks } from '../parent-store.ts'
import { unknownChannels, type CheckSubscription } from '../subscription-store.ts'
import { parentsSent } from './parents.ts'

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

/** What definitions refer to that the account does not have, read once for all of them. The rest of it stays locked. */
export interface UnknownReferences {
  byKind: ReadonlyMap<ReferredKind, ReadonlySet<number>>
  channels: ReadonlySet<number>
  parents: ReadonlySet<string>
}

const numbersAt = (definition: Definition, paths: readonly string[]): number[] =>
  paths.flatMap((path) => (typeof definition[path] === 'number' ? definition[path] : []))

const subscriptionsOf = (definition: Definition): readonly CheckSubscription[] =>
  (definition.alertChannelSubscriptions as CheckSubscription[] | undefined) ?? []

export async function readUnknownReferences(
  client: Queryable,
  account: string,
  definitions: readonly Definition[],
): Promise<UnknownReferences> {
  const byKind = new Map<ReferredKind, ReadonlySet<number>>()
  for (const kind of referredKinds) {
    const ids = new Set(definitions.flatMap((definition) => numbersAt(definition, kind.paths)))
    byKind.set(kind, ids.size === 0 ? ids : await kind.unknown(client, account, [...ids]))
  }
  const channels = new Set(definitions.flatMap(subscriptionsOf).map(({ alertChannelId }) => alertChannelId))
  const parents = new Set(definitions.flatMap((definition) => parentsSent(definition) ?? []))
  return {
    byKind,
    channels: channels.size === 0 ? channels : await unknownChannels(client, account, [...channels]),
    parents: parents.size === 0 ? parents : await unknownChecks(client, account, [...parents]),
  }
}

/** What the locations of a definition are looked up with. */
export interface OfLocations {
  slugs: LocationSlugs
  /** Private locations that the check has already, by id. */
  keptLocations: readonly string[]
}

/** References of a definition, of a check or a group, that the account does not have. Its locations are slugs. */
export function referenceProblems(
  unknown: UnknownReferences,
  { slugs, keptLocations }: OfLocations,
  definition: Definition,
): FieldProblem[] {
  const unknownLocations = privateLocationsOf(definition).flatMap((slug, index) => {
    const id = slugs.idOf(slug, keptLocations)
    const isKnown = id !== undefined && isPrivateLocation(id)
    return isKnown ? [] : unknownReference(`privateLocations.${index}`, 'private location', slug)
  })
  return [
    ...referredKinds.flatMap((kind) => unknownOfKind(unknown, kind, definition)),
    ...unknownLocations,
    ...subscriptionProblems(unknown.channels, subscriptionsOf(definition)),
    ...parentProblems(unknown.parents, parentsSent(definition) ?? []),
  ]
}

/** Whether it uses a snippet that is not there any more. */
export const lacksSnippet = (unknown: UnknownReferences, definition: Definition): boolean =>
  unknownOfKind(unknown, snippets, definition).length > 0

function unknownOfKind({ byKind }: UnknownReferences, kind: ReferredKind, definition: Definition): FieldProblem[] {
  const missing = byKind.get(kind)
  return kind.paths.flatMap((path) => {
    const id = definition[path]
    return typeof id === 'number' && missing?.has(id) ? unknownReference(path, kind.kind, id) : []
  })
}

function unknownReference(path: string, kind: string, id: unknown): FieldProblem[] {
  if (id === null || id === undefined) return []
  return [{ path, message: `names no ${kind} of this account, got ${JSON.stringify(id).slice(0, 100)}` }]
}

function subscriptionProblems(
  unknown: ReadonlySet<number>,
  subscriptions: readonly CheckSubscription[],
): FieldProblem[] {
  const ids = subscriptions.map(({ alertChannelId }) => alertChannelId)
  return ids.flatMap((id, index) => {
    const path = `alertChannelSubscriptions.${index}.alertChannelId`
    if (unknown.has(id)) return unknownReference(path, 'alert channel', id)
    return ids.indexOf(id) < index ? [{ path, message: `names the alert channel ${id} a second time` }] : []
  })
}

const parentProblems = (unknown: ReadonlySet<string>, parents: readonly string[]): FieldProblem[] =>
  parents.flatMap((id, index) => {
    const path = `parentCheckIds.${index}`
    if (unknown.has(id)) return unknownReference(path, 'check', id)
    return parents.indexOf(id) < index ? [{ path, message: `names the check ${id} a second time` }] : []
  })
