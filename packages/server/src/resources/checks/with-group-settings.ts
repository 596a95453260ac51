import type { Queryable } from '../../db/database.ts'
import { isPrivateLocation } from '@vedette/wire'
import { readSettingsInForce, type SettingsInForce } from './group-revision-store.ts'
import type { StoredCheck } from './store.ts'

/** The checks of groups with the settings in force in place of their own, and with what their runs are given. */
export async function withGroupSettings(
  client: Queryable,
  account: string,
  checks: readonly StoredCheck[],
): Promise<StoredCheck[]> {
  const inGroups = checks.filter(({ definition }) => typeof definition.groupId === 'number')
  const inForce = await readSettingsInForce(
    client,
    account,
    inGroups.map(({ id }) => id),
  )
  return checks.map((check) => {
    const found = inForce.get(check.id)
    return found ? { ...check, definition: combined(check, found) } : check
  })
}

function combined({ definition }: StoredCheck, { toRun, effective, activated, tags }: SettingsInForce) {
  const shown = { ...definition, activated, tags, muted: effective.muted }
  if (effective.frequency === null) return { ...shown, alertSettings: effective.alertSettings }
  const isPrivate = effective.locations.filter(isPrivateLocation)
  return {
    ...shown,
    ...(Object.hasOwn(definition, 'request') && { request: toRun.request }),
    ...(Object.hasOwn(definition, 'environmentVariables') && { environmentVariables: toRun.environmentVariables }),
    locations: effective.locations.filter((one) => !isPrivateLocation(one)),
    privateLocations: isPrivate,
    runParallel: effective.runParallel,
    retryStrategy: effective.retryStrategy,
    alertSettings: effective.alertSettings,
  }
}
