import { randomUUID } from 'node:crypto'
import {
  completeDefinition,
  definitionInGroup,
  mergeDefinition,
  type AnyCheckType,
  type Definition,
} from '@vedette/checks'
import type { LocationId } from '@vedette/wire'
import type { VerbContext } from '../../../access/write.ts'
import { conflict, notFound, timedOut } from '../../../api-error.ts'
import { locationToRunAt, readLocationSlugs } from '../../../locations/location-param.ts'
import type { LocationSlugs } from '../../../locations/location-slugs.ts'
import { resolveCheck } from '../../../settings/resolve-check.ts'
import { groupDefaults, groupSettings, readGroup, type StoredGroup } from '../../../settings/group-store.ts'
import { readAccountSettings } from '../../../settings/store.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { notRunnableReason } from '../definition/not-runnable.ts'
import { unsealDefinition } from '../definition/sealed-definition.ts'
import { withIds, withSlugs } from '../shown-locations.ts'
import { readCheck } from '../store.ts'
import { readUnknownReferences } from '../definition/references.ts'
import { validateDefinition } from '../definition/validate-definition.ts'

interface DryRun {
  type: AnyCheckType
  /** The body, validated by the create schema. */
  sent: Record<string, unknown>
  /** Stored check whose secrets replace masks in the body. */
  checkId: string | undefined
  /** Slug of the location to run at; undefined means the first location of the check. */
  location: string | undefined
}

/** Runs a check once without saving it, and returns its result. Nothing is stored and no channel is notified. */
export const dryRunCheck =
  (deps: ApiDeps) =>
  async ({ accountId }: VerbContext, dryRun: DryRun) => {
    const { type } = dryRun
    const slugs = await readLocationSlugs(deps.db.pool, accountId)
    const shown = await definitionOf(deps, { account: accountId, slugs }, dryRun)
    const unknown = await readUnknownReferences(deps.db.pool, accountId, [shown])
    validateDefinition(unknown, { slugs, keptLocations: [] }, type, shown)
    const definition = withIds(shown, slugs, [])
    const group = await readGroup(deps.db.pool, accountId, definition.groupId)
    const reason = notRunnableReason(type, { ...definition, triggerIncident: null }, group)
    if (reason !== null) throw conflict(`The check cannot run: ${reason}`)
    const location = await locationOf(deps, accountId, { slug: dryRun.location, definition, group })
    const toRun = group ? definitionInGroup(type, definition, groupDefaults(deps.vault, accountId, group)) : definition
    const result = await deps.hooks.dryRun({ accountId, type: type.type, definition: toRun, location })
    if (!result) throw timedOut('No agent answered in time; try again.')
    return result
  }

/** A definition from the form of a stored check holds masks: they are replaced by the secrets of that check. */
async function definitionOf(
  { db, vault }: ApiDeps,
  { account, slugs }: { account: string; slugs: LocationSlugs },
  { type, sent, checkId }: DryRun,
): Promise<Definition> {
  if (checkId === undefined) return completeDefinition(type, sent, randomUUID())
  const stored = await readCheck(db.pool, account, checkId)
  if (stored?.type !== type.type) throw notFound(stored ? `${type.title} check` : 'check')
  const before = withSlugs(unsealDefinition(vault, { account, checkId }, type, stored), slugs)
  return mergeDefinition(type, before, completeDefinition(type, sent, checkId), checkId)
}

async function locationOf(
  { db }: ApiDeps,
  account: string,
  { slug, definition, group }: { slug: string | undefined; definition: Definition; group: StoredGroup | undefined },
): Promise<LocationId> {
  if (slug !== undefined) return locationToRunAt(db.pool, account, slug)
  const settings = await readAccountSettings(db.pool, account)
  const [location] = resolveCheck(definition, group && groupSettings(group), settings).locations
  if (location === undefined) throw conflict('The check cannot run: neither it nor the account names a location.')
  return location
}
