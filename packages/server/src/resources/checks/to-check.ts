import type { Definition } from '@vedette/checks'
import { channelKindOf } from '../../alerting/index.ts'
import type { Queryable } from '../../db/database.ts'
import { readLocationsById } from '../../locations/store.ts'
import { privateLocationsOf, withSlugs } from './shown-locations.ts'
import type { StoredCheck } from './store.ts'
import { byCheck, readSubscriptions, type SubscribedChannel } from './subscription-store.ts'

/** A check as the API returns it. */
export type CheckAnswer = Definition & { id: string; checkType: string }

/** What the answer needs besides the rows. */
export interface ShownWith {
  /** By check. */
  channels: ReadonlyMap<string, readonly SubscribedChannel[]>
  locations: ReadonlyMap<string, { slug: string }>
}

export async function readShownWith(
  client: Queryable,
  account: string,
  checks: readonly StoredCheck[],
  withGroups: boolean,
): Promise<ShownWith> {
  const ids = checks.map(({ id }) => id)
  const channels = await readSubscriptions(client, account, ids, { withGroups })
  const locations = await readLocationsById(
    client,
    checks.flatMap(({ definition }) => privateLocationsOf(definition)),
  )
  return { channels: byCheck(channels), locations }
}

export function toCheck(stored: StoredCheck, { channels, locations }: ShownWith, at: Date): CheckAnswer {
  const own = channels.get(stored.id) ?? []
  const definition = withSlugs(mutedNow(stored, at), { slugOf: (id) => locations.get(id)?.slug ?? id })
  // A literal that spreads the definition takes twice as long, which a list of a hundred checks feels.
  return Object.assign({}, definition, {
    id: stored.id,
    checkType: stored.type,
    alertChannelSubscriptions: own.map(({ alertChannelId, activated }) => ({ alertChannelId, activated })),
    parentCheckIds: stored.parent_ids,
    alertChannels: resolved(own.filter(({ activated }) => activated)),
    created_at: stored.created_at.toISOString(),
    updated_at: stored.updated_at?.toISOString() ?? null,
  })
}

/** The definition, not muted any more when that was for a while and is over. */
export const mutedNow = ({ definition, muted_until: until }: StoredCheck, at: Date): Definition =>
  until !== null && until <= at ? { ...definition, muted: false } : definition

function resolved(channels: readonly SubscribedChannel[]): Record<string, unknown[]> {
  const byKey: Record<string, unknown[]> = {}
  for (const { type, config } of channels) {
    const shown = channelKindOf(type)?.shownOnChecks
    if (!shown) continue
    const item = Object.fromEntries(shown.fields.map((field) => [field, config[field]]))
    byKey[shown.key] = [...(byKey[shown.key] ?? []), item]
  }
  return byKey
}
