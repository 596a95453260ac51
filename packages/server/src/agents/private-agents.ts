import type { SeenAgent } from '../locations/seen-agent.ts'
import type { Presence } from './presence.ts'

/** The agents of private locations that called this server within the last minute. */
export const agentsOfPrivateLocations = ({ presence }: { presence: Pick<Presence, 'list'> }): SeenAgent[] =>
  presence.list().flatMap(({ key, state, agentId, version, protocol, lastSeenAt }) => {
    if (key.kind !== 'private' || state !== 'online') return []
    return [{ agentId, keyId: key.id, location: key.location, version, protocol, lastSeenAt }]
  })
