import { isDeepStrictEqual } from 'node:util'
import { mergeDefinition, type AnyCheckType, type Definition } from '@vedette/checks'
import { assignedFrequencyOffset } from '@vedette/wire'
import type { FastifyRequest } from 'fastify'
import type { Queryable } from '../../db/database.ts'
import { notFound } from '../../http/api-error.ts'
import { audit } from '../../http/audit.ts'
import type { ApiDeps } from '../../http/deps.ts'
import { checkIfMatch } from '../../http/etag.ts'
import { readLocationSlugs } from '../../locations/location-param.ts'
import { resolveCheck, type AccountSettings } from '../../settings/resolve-check.ts'
import { lockAccountSettings } from '../../settings/store.ts'
import { announce } from './announce.ts'
import { notRunnableReason } from './not-runnable.ts'
import { sealDefinition, unsealDefinition } from './sealed-definition.ts'
import { privateLocationsOf, withIds, withSlugs } from './shown-locations.ts'
import { readCheck, updateCheck, type StoredCheck } from './store.ts'
import { replaceSubscriptions, subscribeToChannels, type CheckSubscription } from './subscription-store.ts'
import { validateDefinition } from './validate-definition.ts'

interface CheckUpdate {
  type: AnyCheckType
  id: string
  /** The body, as it passed the update schema. */
  sent: Record<string, unknown>
  /** Acts only when it was sent. */
  autoAssignAlerts: boolean | undefined
}

/** Merges what was sent into the stored check, which is then valid as a whole or unchanged. */
export async function changeCheck(deps: ApiDeps, request: FastifyRequest, update: CheckUpdate): Promise<void> {
  const account = request.principal.accountId
  const runNow = await deps.db.transaction(async (client) => {
    const settings = await lockAccountSettings(client, account)
    const stored = await readCheck(client, account, update.id, true)
    if (!stored || stored.type !== update.type.type) throw notFound(`The ${update.type.title} check`)
    checkIfMatch(request, stored.version)
    const runs = await storeChange(client, { ...deps, account, settings, stored }, update)
    await subscribe(client, account, update)
    await audit(client, request, { action: 'update', resource: 'checks', id: update.id }, deps.clock.now())
    return runs
  })
  await announce(deps.hooks, request, update.id, { change: 'updated', runNow })
}

type Before = Pick<ApiDeps, 'vault' | 'clock'> & {
  account: string
  settings: AccountSettings
  stored: StoredCheck
}

/** Answers whether the check does something else from now on. */
async function storeChange(
  client: Queryable,
  { vault, clock, account, settings, stored }: Before,
  { type, id, sent }: CheckUpdate,
): Promise<boolean> {
  const owner = { account, checkId: id }
  const before = unsealDefinition(vault, owner, type, stored)
  const slugs = await readLocationSlugs(client, account)
  const { alertChannelSubscriptions, ...merged } = mergeDefinition(type, withSlugs(before, slugs), sent, id)
  const { definition: shown, offsetSent } = withOffset(merged, stored, { sent, before })
  const keptLocations = privateLocationsOf(before)
  const references = { account, slugs, keptLocations }
  await validateDefinition(client, references, type, { ...shown, alertChannelSubscriptions })
  const definition = withIds(shown, slugs, keptLocations)
  const isNewRevision = !isDeepStrictEqual(definition, before)
  const notRunnable = notRunnableReason(type, definition)
  const content = {
    account,
    id,
    type: type.type,
    ...sealDefinition(vault, owner, type, definition),
    effective: resolveCheck(definition, undefined, settings),
    offsetSent,
    notRunnable,
    at: new Date(clock.now()),
  }
  await updateCheck(client, content, { revision: stored.revision + (isNewRevision ? 1 : 0), isNewRevision })
  const runs = definition.activated === true && notRunnable === null
  return runs && (before.activated !== true || stored.not_runnable !== null || doesOther(type, before, definition))
}

/** An offset its owner never sent follows the frequency, also when an answer is sent back whole; one that was sent stays. */
function withOffset(
  merged: Definition,
  stored: StoredCheck,
  { sent, before }: { sent: Record<string, unknown>; before: Definition },
): { definition: Definition; offsetSent: boolean } {
  const isEcho = !stored.offset_sent && sent.frequencyOffset === before.frequencyOffset
  if (sent.frequencyOffset !== undefined && !isEcho) return { definition: merged, offsetSent: true }
  const keeps = stored.offset_sent || merged.frequency === before.frequency
  const frequencyOffset = keeps
    ? before.frequencyOffset
    : assignedFrequencyOffset(stored.id, merged.frequency as number)
  return { definition: { ...merged, frequencyOffset }, offsetSent: stored.offset_sent }
}

const alsoDecisive = ['shouldFail', 'locations', 'privateLocations', 'runtimeId']

function doesOther(type: AnyCheckType, before: Definition, after: Definition): boolean {
  const decisive = [...Object.keys(type.fields), ...alsoDecisive]
  return decisive.some((field) => !isDeepStrictEqual(before[field], after[field]))
}

async function subscribe(
  client: Queryable,
  account: string,
  { id, sent, autoAssignAlerts }: CheckUpdate,
): Promise<void> {
  const of = { account, checkId: id }
  const wanted = sent.alertChannelSubscriptions as CheckSubscription[] | undefined
  if (wanted) await replaceSubscriptions(client, of, wanted)
  if (autoAssignAlerts === true) await subscribeToChannels(client, of, 'all')
}
