import {
  privateLocationId,
  type PrivateLocation,
  type PrivateLocationBase,
  type PrivateLocationKey,
} from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { SeenAgent } from '../../locations/seen-agent.ts'
import { proxyPlace } from '../../settings/location-proxy.ts'
import type { Vault } from '../../vault.ts'
import { readLocationKeys, type LocationKey } from './key-store.ts'
import { byVersion, oldestVersion, readKnownAgents } from './known-agents.ts'
import { shownProxy } from './proxy-address.ts'
import type { LocationRow } from './store.ts'

/** The address of the proxy in clear; null when there is none. */
export const openedProxy = (vault: Vault, account: string, { id, secrets }: LocationRow): string | null =>
  secrets.proxyUrl === undefined ? null : vault.open(secrets.proxyUrl, proxyPlace(account, id))

export const toKey = ({ id, maskedKey, created_at, updated_at }: LocationKey): PrivateLocationKey => ({
  id,
  maskedKey,
  created_at,
  updated_at,
})

interface Shown {
  account: string
  vault: Vault
}

/** A location as writes answer it. */
export function toBase(
  row: LocationRow,
  keys: readonly PrivateLocationKey[],
  { account, vault }: Shown,
): PrivateLocationBase {
  const proxy = openedProxy(vault, account, row)
  return {
    id: row.id,
    name: row.name,
    slugName: row.slug,
    icon: row.icon,
    proxyUrl: proxy === null ? null : shownProxy(proxy),
    keys: [...keys],
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
  }
}

/** The same with the keys that the location has now. */
export async function readBase(client: Queryable, row: LocationRow, shown: Shown): Promise<PrivateLocationBase> {
  const keys = await readLocationKeys(client, shown.account, [privateLocationId(row.id)])
  return toBase(row, keys.map(toKey), shown)
}

interface Asked extends Shown {
  /** Say which versions its agents run. */
  versions: boolean
  seen: readonly SeenAgent[] | undefined
  now: number
}

/** Locations with their keys and what is known of their agents. */
export async function toLocations(
  client: Queryable,
  rows: readonly LocationRow[],
  { versions, seen, now, ...shown }: Asked,
): Promise<PrivateLocation[]> {
  const locations = rows.map(({ id }) => privateLocationId(id))
  const keys = await readLocationKeys(client, shown.account, locations)
  const agentsOf = await readKnownAgents(client, { locations, keys: new Set(keys.map(({ id }) => id)), seen, now })
  return rows.map((row) => {
    const location = privateLocationId(row.id)
    const { lastSeen, running } = agentsOf(location)
    const own = keys.filter((key) => key.location === location)
    return {
      ...toBase(row, own.map(toKey), shown),
      lastSeen: lastSeen === null ? null : new Date(lastSeen).toISOString(),
      available: running.length > 0,
      agentCount: running.length,
      minAgentVersion: oldestVersion(running),
      ...(versions && { runningAgents: byVersion(running) }),
    }
  })
}
