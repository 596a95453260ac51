import { isDeepStrictEqual } from 'node:util'
import { mergeDefinition, type AnyCheckType, type Definition } from '@vedette/checks'
import { assignedFrequencyOffset } from '@vedette/wire'
import type { VerbContext } from '../../../access/write.ts'
import type { Queryable } from '../../../db/database.ts'
import { readLocationSlugs } from '../../../locations/location-param.ts'
import { resolveCheck, type AccountSettings } from '../../../settings/resolve-check.ts'
import { lockAccountSettings } from '../../../settings/store.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { answerOf, readAnswer, type VersionedCheck } from '../check-answer.ts'
import { notRunnableReason } from '../definition/not-runnable.ts'
import { targetOf } from '../definition/target-of.ts'
import { sealDefinition, unsealDefinition } from '../definition/sealed-definition.ts'
import { privateLocationsOf, withIds, withSlugs } from '../shown-locations.ts'
import { readCheck, updateCheck as storeUpdate, type StoredCheck } from '../store.ts'
import { replaceSubscriptions, subscribeToChannels, type CheckSubscription } from '../subscription-store.ts'
import { storeEventToken } from '../definition/event-address.ts'
import { validateDefinition } from '../definition/validate-definition.ts'

interface CheckUpdate {
  type: AnyCheckType
  id: string
  /** The body, validated by the update schema. */
  sent: Record<string, unknown>
  /** Ignored when it was not sent. */
  autoAssignAlerts: boolean | undefined
}

/** Merges the body into the stored check and returns it. The result must be valid as a whole, or nothing is changed. */
export const updateCheck =
  ({ vault, write, hooks }: ApiDeps) =>
  (ctx: VerbContext, update: CheckUpdate): Promise<VersionedCheck> => {
    const { accountId: account } = ctx
    const { id, type } = update
    return write(ctx, { action: 'update', resource: 'checks' }, async ({ client, at, existing }) => {
      const settings = await lockAccountSettings(client, account)
      const ofType = readCheck(client, account, id, true).then((row) => (row?.type === type.type ? row : undefined))
      const stored = await existing(`The ${type.title} check`, ofType)
      const { check: before } = await answerOf(client, account, stored)
      const runNow = await storeChange(client, { vault, at, account, settings, stored }, update)
      await subscribe(client, account, update)
      const answer = await readAnswer(client, account, id)
      const announce = () => hooks.checkChanged(id, { change: 'updated', runNow })
      return { id, answer, before, after: answer.check, announce }
    })
  }

type Before = Pick<ApiDeps, 'vault'> & {
  at: Date
  account: string
  settings: AccountSettings
  stored: StoredCheck
}

/** Returns whether the definition to run has changed. */
async function storeChange(
  client: Queryable,
  { vault, at, account, settings, stored }: Before,
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
  const sealed = sealDefinition(vault, owner, type, definition)
  const content = {
    account,
    id,
    type: type.type,
    ...sealed,
    ...targetOf(type, sealed.definition),
    effective: resolveCheck(definition, undefined, settings),
    offsetSent,
    notRunnable,
    at,
  }
  await storeUpdate(client, content, { revision: stored.revision + (isNewRevision ? 1 : 0), isNewRevision })
  const runs = definition.activated === true && notRunnable === null
  const beginsAnew =
    runs && (before.activated !== true || stored.not_runnable !== null || doesOther(type, before, definition))
  await storeEventToken(client, type, { account, id, definition, countedFrom: beginsAnew ? at : null })
  return beginsAnew
}

/** An offset that was never sent follows the frequency, also when an answer is sent back; one that was sent stays. */
function withOffset(
  merged: Definition,
  stored: StoredCheck,
  { sent, before }: { sent: Record<string, unknown>; before: Definition },
): { definition: Definition; offsetSent: boolean } {
  if (merged.frequency === undefined) return { definition: merged, offsetSent: false }
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
