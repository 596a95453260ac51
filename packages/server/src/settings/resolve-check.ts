import {
  completeAlertSettings,
  completeRetryStrategy,
  doubleCheckStrategy,
  type AlertSettings,
  type alertSettingsSchema,
  type LocationId,
  type RetryStrategy,
  type retryStrategySchema,
} from '@vedette/wire'
import type { z } from 'zod'

/**
 * The settings in force of a check: its own, those of its group and those of its account combined. Stored with the
 * check whenever one of the three changes, and read from there by everything that uses settings.
 */
export interface EffectiveCheck {
  activated: boolean
  tags: string[]
  /** Read it with `isMuted`: it may have ended. */
  muted: boolean
  /** ISO 8601: when it ends by itself. Absent: it does not. */
  mutedUntil?: string
  /** Minutes between runs, 0 for every `frequencyOffset` seconds; null for a check without a schedule. */
  frequency: number | null
  frequencyOffset: number | null
  /** Its locations in the order round-robin uses them. Empty for a check without a schedule. */
  locations: LocationId[]
  runParallel: boolean
  /** null: a failed run is not retried. */
  retryStrategy: RetryStrategy | null
  alertSettings: AlertSettings
}

type SentAlertSettings = z.infer<typeof alertSettingsSchema>
type SentRetryStrategy = z.infer<typeof retryStrategySchema>

/** The settings in a check's definition. Locations are ids, never slugs. */
export interface OwnSettings {
  activated?: boolean
  tags?: readonly string[]
  muted?: boolean
  frequency?: number
  frequencyOffset?: number
  locations?: readonly LocationId[] | null
  privateLocations?: readonly LocationId[] | null
  runParallel?: boolean
  doubleCheck?: boolean
  retryStrategy?: SentRetryStrategy | null
  useGlobalAlertSettings?: boolean
  alertSettings?: SentAlertSettings | null
}

/** The settings of a group of checks: null or empty ones leave the check's own. */
export interface GroupSettings {
  activated: boolean
  tags: readonly string[]
  muted: boolean
  locations: readonly LocationId[]
  privateLocations: readonly LocationId[]
  runParallel: boolean | null
  /** Counts as that of the check does. */
  doubleCheck: boolean
  retryStrategy: SentRetryStrategy | 'FALLBACK'
  useGlobalAlertSettings: boolean | null
  alertSettings: SentAlertSettings | null
}

export interface AccountSettings {
  alertSettings: SentAlertSettings
  defaultLocations: readonly LocationId[]
  /** No check of the account runs. */
  suspended?: boolean
}

/** Names of the fields that are read from a definition. */
export const ownSettingNames = [
  'activated',
  'tags',
  'muted',
  'frequency',
  'frequencyOffset',
  'locations',
  'privateLocations',
  'runParallel',
  'doubleCheck',
  'retryStrategy',
  'useGlobalAlertSettings',
  'alertSettings',
] as const satisfies readonly (keyof OwnSettings)[]

export function resolveCheck(
  own: OwnSettings & { mutedUntil?: string | null },
  group: GroupSettings | undefined,
  account: AccountSettings,
): EffectiveCheck {
  return {
    activated: isActivated([own, group], account),
    tags: tagsOf(own.tags ?? [], group?.tags ?? []),
    muted: [own, group].some((level) => level?.muted === true),
    ...(own.mutedUntil && group?.muted !== true && { mutedUntil: own.mutedUntil }),
    frequency: own.frequency ?? null,
    frequencyOffset: own.frequencyOffset ?? null,
    locations: own.frequency === undefined ? [] : locationsOf(own, group, account),
    runParallel: group?.runParallel ?? own.runParallel === true,
    retryStrategy: retryStrategyOf(own, group),
    alertSettings: completeAlertSettings(alertSettingsOf(own, group, account)),
  }
}

const isActivated = (levels: readonly ({ activated?: boolean } | undefined)[], account: AccountSettings): boolean =>
  account.suspended !== true && levels.every((level) => level?.activated !== false)

const tagsOf = (own: readonly string[], group: readonly string[]): string[] => [
  ...own,
  ...group.filter((tag) => !own.includes(tag)),
]

/**
 * A group that names a location of either kind replaces both lists; a check without locations runs at the account's.
 */
function locationsOf(own: OwnSettings, group: GroupSettings | undefined, account: AccountSettings): LocationId[] {
  const lists = [group, own].map((level) => [...(level?.locations ?? []), ...(level?.privateLocations ?? [])])
  return lists.find((list) => list.length > 0) ?? [...account.defaultLocations]
}

/** `doubleCheck` of either counts only where no strategy is set. */
function retryStrategyOf(own: OwnSettings, group: GroupSettings | undefined): RetryStrategy | null {
  if (group && group.retryStrategy !== 'FALLBACK') return completeRetryStrategy(group.retryStrategy)
  if (own.retryStrategy) return completeRetryStrategy(own.retryStrategy)
  return own.doubleCheck === true || group?.doubleCheck === true ? doubleCheckStrategy : null
}

function alertSettingsOf(own: OwnSettings, group: GroupSettings | undefined, account: AccountSettings) {
  if (group?.useGlobalAlertSettings === true) return account.alertSettings
  if (group?.alertSettings) return group.alertSettings
  return own.useGlobalAlertSettings === false ? own.alertSettings : account.alertSettings
}
