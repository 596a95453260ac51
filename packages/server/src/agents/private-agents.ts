import type { SeenAgent } from '../locations/seen-agent.ts'
import type { Presence } from './presence.ts'

/** The agents of private locations that called this server within the last minute. */
export const agentsOfPrivateLocations = ({ presence }: { presence: Pick<Presence, 'list'> }): SeenAgent[] =>
  presence.list().flatMap(({ key, state, vitals, agentId, version, protocol, capabilities, slots, lastSeenAt }) => {
    if (key.kind !== 'private' || state !== 'online') return []
    const { id: keyId, location } = key
    const running = vitals?.running ?? null
    return [{ agentId, keyId, location, version, protocol, capabilities, running, slots, lastSeenAt }]
  })
