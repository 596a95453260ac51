import { isDeepStrictEqual } from 'node:util'
import { checkTypeOf, mergeDefinition, type AnyCheckType, type Definition } from '@vedette/checks'
import { assignedFrequencyOffset } from '@vedette/wire'
import { notFound } from '../../../api-error.ts'
import type { LocationSlugs } from '../../../locations/location-slugs.ts'
import type { StoredGroup } from '../../../settings/group-store.ts'
import type { AccountSettings } from '../../../settings/resolve-check.ts'
import type { Vault } from '../../../vault.ts'
import type { ChangedContent } from '../content-store.ts'
import { contentOf, isToRun } from '../definition/content-of.ts'
import type { UnknownReferences } from '../definition/references.ts'
import { parentsSent } from '../definition/parents.ts'
import { unsealDefinition } from '../definition/sealed-definition.ts'
import { validFields } from '../definition/update-fields.ts'
import { validateDefinition } from '../definition/validate-definition.ts'
import { privateLocationsOf, withIds, withSlugs } from '../shown-locations.ts'
import type { StoredCheck } from '../store.ts'
import type { CheckSubscription } from '../subscription-store.ts'
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

/** What changes of checks need of their account. */
export interface KnownOfAccount {
  account: string
  settings: AccountSettings
  slugs: LocationSlugs
  /** The parents that checks of the whole write are to have. */
  wantedParents?: ReadonlyMap<string, readonly string[]>
}

/** What a check would be after a change, before anything is validated that takes a look at the database. */
export interface ChangeDraft {
  id: string
  update: CheckUpdate
  type: AnyCheckType
  stored: StoredCheck
  answer: CheckAnswer
  /** As it is: secrets in the clear, locations are ids. */
  before: Definition
  /** As it is to be: secrets in the clear, locations are slugs. */
  shown: Definition
  offsetSent: boolean
  /** Undefined when they stay. */
  subscriptions: CheckSubscription[] | undefined
  /** Undefined when they stay. */
  parents: string[] | undefined
}

/** Throws what is wrong with the update as it was sent. */
export function draftOf(
  vault: Vault,
  { account, slugs, at }: KnownOfAccount & { at: Date },
  { stored, answer, update }: Pick<ChangeDraft, 'stored' | 'answer' | 'update'>,
): ChangeDraft {
  const { id } = update
  if (update.type && update.type.type !== stored.type) throw notFound(`${update.type.title} check`)
  const type = checkTypeOf(stored.type)
  if (!type) throw new Error(`No check type ${stored.type} is built`)
  const sent = typeof update.sent === 'function' ? validFields(type, update.sent(answer)) : update.sent
  const before = unsealDefinition(vault, { account, checkId: id }, type, {
    ...stored,
    definition: mutedNow(stored, at),
  })
  // Only subscriptions and parents that were sent replace those of the check, whatever a stored definition holds.
  const {
    alertChannelSubscriptions: _,
    parentCheckIds: _parents,
    ...merged
  } = mergeDefinition(type, withSlugs(before, slugs), sent, id)
  const { definition: shown, offsetSent } = withOffset(merged, stored, { sent, before })
  const subscriptions = sent.alertChannelSubscriptions as CheckSubscription[] | undefined
  return { id, update, type, stored, answer, before, shown, offsetSent, subscriptions, parents: parentsSent(sent) }
}

/** The definition with what it refers to, as it is validated. */
export const referringOf = ({ shown, subscriptions, parents }: ChangeDraft): Definition => ({
  ...shown,
  alertChannelSubscriptions: subscriptions,
  parentCheckIds: parents,
})

/** A change that can be stored. */
export interface PlannedChange {
  id: string
  type: AnyCheckType
  /** As it is to be: secrets in the clear, locations are ids. */
  definition: Definition
  content: ChangedContent
  subscriptions: CheckSubscription[] | undefined
  parents: string[] | undefined
  autoAssignAlerts: boolean
  answer: CheckAnswer
  /** It is to run at once: it was activated, or does something else now. */
  runNow: boolean
  /** It ran, and does not any more. */
  stops: boolean
  /** When its mute ends by itself; null: never, or it is not muted. Its answer does not say so. */
  mutedUntil: { before: Date | null; after: Date | null }
  /** Nothing of it would be another value than before, but when it was written. */
  isUnchanged: boolean
}

interface PlanWith extends KnownOfAccount {
  vault: Vault
  at: Date
  unknown: UnknownReferences
  groups: ReadonlyMap<unknown, StoredGroup>
}

/** Throws a 400 naming everything that is wrong with the check as it would be. */
export function planOf(draft: ChangeDraft, { vault, at, account, settings, slugs, ...read }: PlanWith): PlannedChange {
  const { id, type, stored, before, shown, offsetSent, subscriptions, parents, answer, update } = draft
  const keptLocations = privateLocationsOf(before)
  validateDefinition(read.unknown, { slugs, keptLocations }, type, referringOf(draft))
  const definition = withIds(shown, slugs, keptLocations)
  const group = read.groups.get(definition.groupId)
  const until = endOfMute(update, stored, definition)
  const whole = { id, type, definition, group, offsetSent, mutedUntil: until }
  const content = contentOf(vault, { account, settings }, whole)
  const runs = isToRun(content)
  const runNow = runs && (!isActive(stored) || doesOther(type, before, definition))
  const mutedUntil = { before: before.muted === true ? stored.muted_until : null, after: until }
  return {
    id,
    type,
    definition,
    content: {
      ...content,
      mutedUntil: until,
      isNewRevision: !isDeepStrictEqual(definition, { ...before, muted: stored.definition.muted }),
      countedFrom: runNow ? at : null,
    },
    subscriptions,
    parents,
    autoAssignAlerts: update.autoAssignAlerts === true,
    answer,
    runNow,
    stops: !runs && isActive(stored),
    mutedUntil,
    isUnchanged:
      isDeepStrictEqual(definition, before) &&
      mutedUntil.before?.getTime() === mutedUntil.after?.getTime() &&
      areSubscribed(answer, subscriptions) &&
      (parents === undefined || isDeepStrictEqual(parents, answer.parentCheckIds)),
  }
}

const isActive = ({ activated, not_runnable }: StoredCheck): boolean => activated && not_runnable === null

function areSubscribed(before: CheckAnswer, wanted: readonly CheckSubscription[] | undefined): boolean {
  if (wanted === undefined) return true
  const sorted = (all: readonly CheckSubscription[]) => all.toSorted((a, b) => a.alertChannelId - b.alertChannelId)
  return isDeepStrictEqual(sorted(wanted), sorted(before.alertChannelSubscriptions as CheckSubscription[]))
}

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

function doesOther({ mode, fields }: AnyCheckType, before: Definition, after: Definition): boolean {
  if (mode.kind === 'passive') return !isDeepStrictEqual(mode.waitsFor(before), mode.waitsFor(after))
  const decisive = [...Object.keys(fields), ...alsoDecisive]
  return decisive.some((field) => !isDeepStrictEqual(before[field], after[field]))
}
