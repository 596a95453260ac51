import type { SeenAgent } from '../locations/seen-agent.ts'
import type { Presence } from './presence.ts'

/** Of a column of the database. */
const largestInteger = 2 ** 31 - 1

/** The agents of private locations that called this server within the last minute. */
export const agentsOfPrivateLocations = ({ presence }: { presence: Pick<Presence, 'list'> }): SeenAgent[] =>
  presence.list().flatMap(({ key, state, vitals, agentId, version, protocol, capabilities, slots, lastSeenAt }) => {
    if (key.kind !== 'private' || state !== 'online') return []
    const { id: keyId, location } = key
    const running = vitals === null ? null : Math.min(vitals.running, largestInteger)
    return [{ agentId, keyId, location, version, protocol, capabilities, running, slots, lastSeenAt }]
  })
