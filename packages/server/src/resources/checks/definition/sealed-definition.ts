import {
  mapSecrets,
  maskSecrets,
  secretMask,
  secretsOf,
  type AnyCheckType,
  type Definition,
  type HasSecrets,
} from '@vedette/checks'
import type { SecretPlace, Vault } from '../../../vault.ts'

/** A definition as stored: masks in place of secrets, and the sealed secrets by dotted path. */
export interface SealedDefinition {
  definition: Definition
  secrets: Record<string, string>
}

interface Owner {
  account: string
  checkId: string
}

const place = ({ account, checkId }: Owner, field: string): SecretPlace => ({
  account,
  table: 'checks',
  row: checkId,
  field,
})

export function sealDefinition(vault: Vault, owner: Owner, type: HasSecrets, definition: Definition): SealedDefinition {
  const secrets = [...secretsOf(type, definition)].filter(([, value]) => value !== '')
  return {
    definition: maskSecrets(type, definition),
    secrets: Object.fromEntries(secrets.map(([path, value]) => [path, vault.seal(value, place(owner, path))])),
  }
}

/** The whole definition with secrets in the clear, for merging and dry runs only: it is never sent as an answer. */
export const unsealDefinition = (
  vault: Vault,
  owner: Owner,
  type: AnyCheckType,
  sealed: SealedDefinition,
): Definition =>
  mapSecrets(type, sealed.definition, (value, path) => {
    const secret = sealed.secrets[path]
    return secret === undefined ? value : vault.open(secret, place(owner, path))
  })

/** Paths of masks without a stored secret. */
export const danglingMasks = (type: AnyCheckType, definition: Definition): string[] =>
  [...secretsOf(type, definition)].filter(([, value]) => value === secretMask).map(([path]) => path)
