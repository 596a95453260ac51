import { privateLocationId, uuidOfLocation, type LocationId } from '@vedette/wire'
import type { Queryable } from '../db/database.ts'
import type { PrivateLocationAgentsRow } from '../db/rows.ts'
import type { SeenAgent } from './seen-agent.ts'

/** Runs that wait for an agent of a location. */
export interface WaitingRuns {
  location: LocationId
  count: number
  /** How long the oldest of them has waited, in milliseconds. */
  oldestMs: number
}

/** Stores one sample of every private location; those that `waiting` does not name have an empty queue. */
export async function insertSamples(client: Queryable, at: Date, waiting: readonly WaitingRuns[]): Promise<void> {
  await client.query(
    `INSERT INTO private_location_samples (location_id, at, waiting, oldest_seconds)
     SELECT p.id, $1, coalesce(w.count, 0), coalesce(w.seconds, 0)
     FROM private_locations p
     LEFT JOIN json_to_recordset($2::json) AS w(location text, count int, seconds int) ON w.location = 'pl_' || p.id::text
     WHERE p.deleted_at IS NULL
     ON CONFLICT (location_id, at) DO UPDATE SET waiting = EXCLUDED.waiting, oldest_seconds = EXCLUDED.oldest_seconds`,
    [
      at,
      JSON.stringify(
        waiting.map(({ location, count, oldestMs }) => ({ location, count, seconds: Math.round(oldestMs / 1000) })),
      ),
    ],
  )
}

const agentColumns = 'location_id, agent_id, key_id, version, protocol, capabilities, running, slots, last_seen_at'

/** Stores what is known of these agents. */
export async function storeSeenAgents(client: Queryable, agents: readonly SeenAgent[]): Promise<void> {
  if (agents.length === 0) return
  await client.query(
    `INSERT INTO private_location_agents (${agentColumns})
     SELECT ${agentColumns} FROM json_to_recordset($1::json) AS a(location_id uuid, agent_id uuid, key_id uuid, version text,
       protocol int, capabilities text[], running int, slots int, last_seen_at timestamptz)
     ON CONFLICT (location_id, agent_id) DO UPDATE SET key_id = EXCLUDED.key_id, version = EXCLUDED.version,
       protocol = EXCLUDED.protocol, capabilities = EXCLUDED.capabilities, running = EXCLUDED.running,
       slots = EXCLUDED.slots, last_seen_at = EXCLUDED.last_seen_at
     WHERE private_location_agents.last_seen_at < EXCLUDED.last_seen_at`,
    [
      JSON.stringify(
        agents.map(({ agentId, keyId, location, lastSeenAt, ...told }) => ({
          ...told,
          location_id: uuidOfLocation(location),
          agent_id: agentId,
          key_id: keyId,
          last_seen_at: new Date(lastSeenAt),
        })),
      ),
    ],
  )
}

/** The agents of the locations with these UUIDs. */
export async function readSeenAgents(client: Queryable, locations: readonly string[]): Promise<SeenAgent[]> {
  if (locations.length === 0) return []
  const { rows } = await client.query<PrivateLocationAgentsRow>(
    `SELECT ${agentColumns} FROM private_location_agents
     WHERE location_id = ANY($1::uuid[])`,
    [locations],
  )
  return rows.map((row) => ({
    agentId: row.agent_id,
    keyId: row.key_id,
    location: privateLocationId(row.location_id),
    version: row.version,
    protocol: row.protocol,
    capabilities: row.capabilities,
    running: row.running,
    slots: row.slots,
    lastSeenAt: row.last_seen_at.getTime(),
  }))
}

/** Times of samples (ISO 8601) and what they hold, in three lists of the same length. */
export interface Samples {
  timestamps: string[]
  waiting: number[]
  oldest: number[]
}

/** The samples of a location from a time on, before another. */
export async function readSamples(
  client: Queryable,
  { location, from, to }: { location: string; from: Date; to: Date },
): Promise<Samples> {
  const { rows } = await client.query<{ samples: string }>(
    `SELECT json_build_object(
       'timestamps', coalesce(json_agg(to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), '[]'),
       'waiting', coalesce(json_agg(waiting), '[]'), 'oldest', coalesce(json_agg(oldest_seconds), '[]'))::text AS samples
     FROM (SELECT at, waiting, oldest_seconds FROM private_location_samples
       WHERE location_id = $1 AND at >= $2 AND at < $3 ORDER BY at) s`,
    [location, from, to],
  )
  return JSON.parse(rows[0]?.samples ?? '{"timestamps":[],"waiting":[],"oldest":[]}') as Samples
}
