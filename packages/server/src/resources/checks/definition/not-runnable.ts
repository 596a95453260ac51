import type { AnyCheckType, Definition } from '@vedette/checks'
import type { StoredGroup } from '../../../settings/group-store.ts'

/** Why a check cannot run: it uses something that is not built. null when it can run. */
export function notRunnableReason(
  type: AnyCheckType,
  definition: Definition,
  group: StoredGroup | undefined,
): string | null {
  if (type.mode.kind === 'scheduled' && type.mode.needs(definition).includes('user-code')) {
    return 'Setup and teardown scripts cannot be run yet; remove them to run this check.'
  }
  if (type.withGroupDefaults && group && hasScripts(group)) {
    return 'Setup and teardown scripts of its group cannot be run yet; remove them to run this check.'
  }
  if (definition.triggerIncident) {
    return 'Status page incidents cannot be triggered yet; set triggerIncident to null to run this check.'
  }
  return null
}

const hasScripts = ({ definition }: StoredGroup): boolean =>
  [definition.localSetupScript, definition.localTearDownScript].some((script) => (script ?? '').trim() !== '') ||
  (definition.setupSnippetId ?? definition.tearDownSnippetId) !== null
