import { isDeepStrictEqual } from 'node:util'
import { checkTypeOf, mergeDefinition, type AnyCheckType, type Definition } from '@vedette/checks'
import { assignedFrequencyOffset } from '@vedette/wire'
import type { Audited, Change } from '../../../access/write.ts'
import { endEpisodes } from '../../../alerting/episodes/episode-store.ts'
import { notFound } from '../../../api-error.ts'
import type { Queryable } from '../../../db/database.ts'
import { readLocationSlugs } from '../../../locations/location-param.ts'
import type { LocationSlugs } from '../../../locations/location-slugs.ts'
import { resolveCheck, type AccountSettings } from '../../../settings/resolve-check.ts'
import { groupSettings, readGroup } from '../../../settings/group-store.ts'
import { lockAccountSettings } from '../../../settings/store.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { answerOf, readAnswer, type VersionedCheck } from '../check-answer.ts'
import { notRunnableReason } from '../definition/not-runnable.ts'
import { targetOf } from '../definition/target-of.ts'
import { definitionToRun } from '../definition/to-run.ts'
import { sealDefinition, unsealDefinition } from '../definition/sealed-definition.ts'
import { privateLocationsOf, withIds, withSlugs } from '../shown-locations.ts'
import { readCheck, updateCheck as storeUpdate, type StoredCheck } from '../store.ts'
import {
  readSubscriptions,
  replaceSubscriptions,
  subscribeToChannels,
  type CheckSubscription,
  type SubscribedChannel,
} from '../subscription-store.ts'
import { storeEventToken } from '../definition/event-address.ts'
import { validFields } from '../definition/update-fields.ts'
import { validateDefinition } from '../definition/validate-definition.ts'
import { mutedNow, type CheckAnswer } from '../to-check.ts'

type Fields = Record<string, unknown>

/** A change of one check. */
export interface CheckUpdate {
  id: string
  /** The type that the check must have; undefined where any will do. */
  type?: AnyCheckType | undefined
  /** The fields to replace, validated by the update schema, or what they are, given the check as it is. */
  sent: Fields | ((before: CheckAnswer) => Fields)
  /** Ignored when it was not sent. */
  autoAssignAlerts?: boolean | undefined
  /** When a mute ends by itself that `sent` begins or that lasts; null: never. Undefined leaves that as it is. */
  mutedUntil?: Date | null | undefined
}

export interface ChangedCheck extends Audited {
  before: CheckAnswer
  answer: VersionedCheck
  /** It is to run at once: it was activated, or does something else now. */
  runNow: boolean
  /** When its mute ends by itself; null: never, or it is not muted. Its answer does not say so. */
  mutedUntil: { before: Date | null; after: Date | null }
}

/** What changes of checks need of their account. */
export interface KnownOfAccount {
  account: string
  settings: AccountSettings
  slugs: LocationSlugs
  /** The subscriptions of these checks. */
  channels: readonly SubscribedChannel[]
}

/** Reads it once for all checks of a write. Locks the settings of the account, so call it before locking a check. */
export async function readKnown(client: Queryable, account: string, ids: readonly string[]): Promise<KnownOfAccount> {
  const settings = await lockAccountSettings(client, account)
  const slugs = await readLocationSlugs(client, account)
  return { account, settings, slugs, channels: await readSubscriptions(client, account, ids) }
}

/** Merges the fields into the stored check, inside a write. The result must be valid as a whole, or nothing is changed. */
export async function changeCheck(
  { vault }: Pick<ApiDeps, 'vault'>,
  { client, at, existing }: Change,
  known: KnownOfAccount,
  update: CheckUpdate,
): Promise<ChangedCheck> {
  const { id } = update
  const { account, channels } = known
  const stored = await existing('check', readCheck(client, account, id, true))
  if (update.type && update.type.type !== stored.type) throw notFound(`${update.type.title} check`)
  const type = checkTypeOf(stored.type)
  if (!type) throw new Error(`No check type ${stored.type} is built`)
  const { check: before } = await answerOf(client, stored, { account, at, channels })
  const sent = typeof update.sent === 'function' ? validFields(type, update.sent(before)) : update.sent
  const { runNow, mutedUntil } = await storeChange(client, { vault, at, stored, ...known }, { ...update, type, sent })
  const isSubscribed = await subscribe(client, account, { ...update, sent })
  const answer = await readAnswer(client, id, { account, at, ...(!isSubscribed && { channels }) })
  const ends = { before: before.muted === true ? stored.muted_until : null, after: mutedUntil }
  return { id, answer, before, after: answer.check, runNow, mutedUntil: ends }
}

type Before = Pick<ApiDeps, 'vault'> &
  KnownOfAccount & {
    at: Date
    stored: StoredCheck
  }

interface OfType extends CheckUpdate {
  type: AnyCheckType
  sent: Fields
}

interface StoredChange extends Pick<ChangedCheck, 'runNow'> {
  mutedUntil: Date | null
}

async function storeChange(
  client: Queryable,
  { vault, at, account, settings, slugs, stored }: Before,
  update: OfType,
): Promise<StoredChange> {
  const { type, id, sent } = update
  const owner = { account, checkId: id }
  const before = unsealDefinition(vault, owner, type, { ...stored, definition: mutedNow(stored, at) })
  const { alertChannelSubscriptions, ...merged } = mergeDefinition(type, withSlugs(before, slugs), sent, id)
  const { definition: shown, offsetSent } = withOffset(merged, stored, { sent, before })
  const keptLocations = privateLocationsOf(before)
  const references = { account, slugs, keptLocations }
  await validateDefinition(client, references, type, { ...shown, alertChannelSubscriptions })
  const definition = withIds(shown, slugs, keptLocations)
  const isNewRevision = !isDeepStrictEqual(definition, { ...before, muted: stored.definition.muted })
  const group = await readGroup(client, account, definition.groupId)
  const notRunnable = notRunnableReason(type, definition, group)
  const mutedUntil = endOfMute(update, stored, definition)
  const sealed = sealDefinition(vault, owner, type, definition)
  const ownSettings = { ...definition, mutedUntil: mutedUntil?.toISOString() ?? null }
  const effective = resolveCheck(ownSettings, group && groupSettings(group), settings)
  const content = {
    account,
    id,
    type: type.type,
    ...sealed,
    ...targetOf(type, sealed.definition),
    toRun: definitionToRun(vault, { ...owner, group }, type, definition),
    effective,
    offsetSent,
    notRunnable,
    mutedUntil,
    at,
  }
  await storeUpdate(client, content, { revision: stored.revision + (isNewRevision ? 1 : 0), isNewRevision })
  const runs = effective.activated && notRunnable === null
  if (!runs && isActive(stored)) await endEpisodes(client, [id], at)
  const runNow = runs && (!stored.activated || stored.not_runnable !== null || doesOther(type, before, definition))
  await storeEventToken(client, type, { account, id, definition, countedFrom: runNow ? at : null })
  return { runNow, mutedUntil }
}

const isActive = ({ activated, not_runnable }: StoredCheck): boolean => activated && not_runnable === null

/**
 * Who sends back that a check is muted, as it was answered, changes nothing of when that ends, also when it has ended
 * meanwhile.
 */
function endOfMute({ mutedUntil }: CheckUpdate, stored: StoredCheck, definition: Definition): Date | null {
  if (definition.muted !== true) return null
  if (mutedUntil !== undefined) return mutedUntil
  return stored.definition.muted === true ? stored.muted_until : null
}

/** An offset that was never sent follows the frequency, also when an answer is sent back; one that was sent stays. */
function withOffset(
  merged: Definition,
  stored: StoredCheck,
  { sent, before }: { sent: Fields; before: Definition },
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

/** Returns whether the subscriptions may be others now. */
async function subscribe(
  client: Queryable,
  account: string,
  { id, sent, autoAssignAlerts }: CheckUpdate & { sent: Fields },
): Promise<boolean> {
  const of = { account, checkId: id }
  const wanted = sent.alertChannelSubscriptions as CheckSubscription[] | undefined
  if (wanted) await replaceSubscriptions(client, of, wanted)
  if (autoAssignAlerts === true) await subscribeToChannels(client, of, 'all')
  return wanted !== undefined || autoAssignAlerts === true
}
