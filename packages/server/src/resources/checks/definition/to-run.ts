import { definitionInGroup, secretPathsInGroup, type AnyCheckType, type Definition } from '@vedette/checks'
import { groupDefaults, type StoredGroup } from '../../../settings/group-store.ts'
import type { Vault } from '../../../vault.ts'
import { sealDefinition, type SealedDefinition } from './sealed-definition.ts'

interface CheckInGroup {
  account: string
  checkId: string
  group: StoredGroup | undefined
}

/** What runs of a check are given: its definition, secrets in the clear, with what its group adds; sealed again. */
export function definitionToRun(
  vault: Vault,
  { group, ...owner }: CheckInGroup,
  type: AnyCheckType,
  definition: Definition,
): SealedDefinition {
  if (group === undefined) return sealDefinition(vault, owner, type, definition)
  const combined = definitionInGroup(type, definition, groupDefaults(vault, owner.account, group))
  return sealDefinition(vault, owner, { secretPaths: secretPathsInGroup(type) }, combined)
}
