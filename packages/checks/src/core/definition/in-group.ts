import type { ApiCheckDefaults, StoredVariables } from '@vedette/wire'
import type { AnyCheckType, Definition } from '../check-type.ts'

/** What a group adds to the definitions of its checks. Secrets are in the clear. */
export interface GroupDefaults {
  apiCheckDefaults: ApiCheckDefaults
  environmentVariables: StoredVariables
}

type Variables = NonNullable<StoredVariables>

const plain = (key: string, value: string) => ({ key, value, locked: false, secret: false })

/**
 * The definition that is run of a check in a group. Lists of the check come first, so that paths into them stay the same.
 */
export function definitionInGroup(type: AnyCheckType, definition: Definition, group: GroupDefaults): Definition {
  if (type.mode.kind === 'passive') return definition
  const { apiCheckDefaults } = group
  const combined = type.withGroupDefaults?.(definition, apiCheckDefaults) ?? definition
  const own = (definition.environmentVariables ?? []) as Variables
  const names = new Set(own.map(({ key }) => key))
  const base = apiCheckDefaults.url === '' ? [] : [plain('GROUP_BASE_URL', apiCheckDefaults.url)]
  const added = [...base, ...(group.environmentVariables ?? [])].filter(({ key }) => !names.has(key))
  return added.length === 0 ? combined : { ...combined, environmentVariables: [...own, ...added] }
}

const variablesPath = 'environmentVariables.[secret].value'

/** Where the secrets of a definition are that is run in a group: it may have variables whatever its type. */
export const secretPathsInGroup = ({ secretPaths }: AnyCheckType): readonly string[] =>
  secretPaths.includes(variablesPath) ? secretPaths : [...secretPaths, variablesPath]
