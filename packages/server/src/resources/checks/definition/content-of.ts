import type { AnyCheckType, Definition } from '@vedette/checks'
import { groupSettings, type StoredGroup } from '../../../settings/group-store.ts'
import { resolveCheck, type AccountSettings } from '../../../settings/resolve-check.ts'
import type { Vault } from '../../../vault.ts'
import type { CheckContent } from '../content-store.ts'
import { storedToken } from './event-address.ts'
import { notRunnableReason } from './not-runnable.ts'
import { sealDefinition } from './sealed-definition.ts'
import { targetOf } from './target-of.ts'
import { definitionToRun } from './to-run.ts'

interface WholeCheck {
  id: string
  type: AnyCheckType
  /** Secrets in the clear, locations are ids. */
  definition: Definition
  group: StoredGroup | undefined
  offsetSent: boolean
  /** null when it is not muted, or for good. */
  mutedUntil: Date | null
}

/** What is stored of a check that is valid as a whole. */
export function contentOf(
  vault: Vault,
  { account, settings }: { account: string; settings: AccountSettings },
  { id, type, definition, group, offsetSent, mutedUntil }: WholeCheck,
): CheckContent {
  const owner = { account, checkId: id }
  const sealed = sealDefinition(vault, owner, type, definition)
  const own = { ...definition, mutedUntil: mutedUntil?.toISOString() ?? null }
  return {
    id,
    type: type.type,
    ...sealed,
    ...targetOf(type, sealed.definition),
    toRun: definitionToRun(vault, { ...owner, group }, type, definition),
    effective: resolveCheck(own, group && groupSettings(group), settings),
    offsetSent,
    notRunnable: notRunnableReason(type, definition, group),
    eventToken: storedToken(type, definition),
  }
}

/** Whether it runs by its settings in force. */
export const isToRun = ({ effective, notRunnable }: CheckContent): boolean =>
  effective.activated && notRunnable === null
