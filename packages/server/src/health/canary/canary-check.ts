import { checkTypeOf, completeDefinition } from '@vedette/checks'
import type { LocationId } from '@vedette/wire'
import { canaryAccount } from '../../db/operator-store.ts'
import { resolveCheck, type EffectiveCheck } from '../../settings/resolve-check.ts'

export { canaryAccount }
export const canaryCheckId = '00000000-0000-4000-8000-00000000ca01'

/** How many of these checks are those of users: all but the canary. */
export function checksOfUsers(checks: Iterable<{ accountId: string }>): number {
  let count = 0
  for (const { accountId } of checks) if (accountId !== canaryAccount) count++
  return count
}

const type = 'TCP'
/** Nothing listens at this port of any host. */
const closedPort = 1

export interface CanaryCheck {
  type: string
  name: string
  definition: Record<string, unknown>
  effective: EffectiveCheck
}

/** A check that fails once a day, without retries. */
export function canaryCheck(location: LocationId): CanaryCheck {
  const checkType = checkTypeOf(type)
  if (checkType === undefined) throw new Error(`There is no check type ${type}.`)
  const name = 'Canary of Vedette (a test)'
  const sent = {
    name,
    description: 'Fails on purpose once a day. Nothing is wrong.',
    tags: ['test'],
    frequency: 1440,
    locations: [location],
    doubleCheck: false,
    request: { hostname: '127.0.0.1', port: closedPort },
  }
  const definition = completeDefinition(checkType, sent, canaryCheckId)
  const settings = { alertSettings: {}, defaultLocations: [location] }
  return { type, name, definition, effective: resolveCheck(definition, undefined, settings) }
}
