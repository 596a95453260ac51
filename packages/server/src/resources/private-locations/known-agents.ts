import { agentProtocolVersion, uuidOfLocation, type PrivateLocationId, type RunningAgents } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import { readSeenAgents } from '../../locations/sample-store.ts'
import type { SeenAgent } from '../../locations/seen-agent.ts'

/** What is stored is up to a minute old, and agents call several times a minute. */
const storedIsOnlineMs = 150_000

/** What is known of the agents of one location. */
export interface KnownAgents {
  /** Epoch milliseconds; null when none has ever called. */
  lastSeen: number | null
  running: readonly SeenAgent[]
}

interface Wanted {
  locations: readonly PrivateLocationId[]
  /** Ids of the keys that are valid: agents with others are refused, and run no more. */
  keys: ReadonlySet<string>
  /** The agents that this server hears, when it is the one that hears them. */
  seen: readonly SeenAgent[] | undefined
  now: number
}

/** The agents of these locations: as this server hears them, and as the server that leads wrote them down last. */
export async function readKnownAgents(
  client: Queryable,
  { locations, keys, seen, now }: Wanted,
): Promise<(location: PrivateLocationId) => KnownAgents> {
  const stored = await readSeenAgents(client, locations.map(uuidOfLocation))
  const online = seen ?? stored.filter(({ lastSeenAt }) => now - lastSeenAt < storedIsOnlineMs)
  const all = [...stored, ...(seen ?? [])]
  return (location) => {
    const times = all.filter((agent) => agent.location === location).map(({ lastSeenAt }) => lastSeenAt)
    return {
      lastSeen: times.length === 0 ? null : Math.max(...times),
      running: online.filter((agent) => agent.location === location && keys.has(agent.keyId)),
    }
  }
}

/** Agents by version, the most frequent first. */
export function byVersion(running: readonly SeenAgent[]): RunningAgents[] {
  const versions = [...new Set(running.map(versionOf))]
  return versions
    .map((version) =>
      summary(
        version,
        running.filter((agent) => versionOf(agent) === version),
      ),
    )
    .toSorted((a, b) => b.count - a.count)
}

/** The lowest version among them; null when none runs, or none said its version. */
export function oldestVersion(running: readonly SeenAgent[]): string | null {
  const versions = running.flatMap(({ version }) => version ?? [])
  return versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))[0] ?? null
}

const versionOf = ({ version }: SeenAgent): string => version ?? 'unknown'

const summary = (version: string, agents: readonly SeenAgent[]): RunningAgents => ({
  version,
  isOutdated: agents.some(({ protocol }) => protocol !== null && protocol < agentProtocolVersion),
  count: agents.length,
  agents: agents.map(({ agentId, lastSeenAt, capabilities, running, slots }) => ({
    id: agentId,
    lastSeenAt: new Date(lastSeenAt).toISOString(),
    capabilities,
    running,
    slots,
  })),
})
