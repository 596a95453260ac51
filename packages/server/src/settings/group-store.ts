import type { GroupDefaults } from '@vedette/checks'
import { mapSecrets } from '@vedette/checks'
import type { GroupFields, LocationId } from '@vedette/wire'
import type { Queryable } from '../db/database.ts'
import type { CheckGroupsRow } from '../db/rows.ts'
import type { SecretPlace, Vault } from '../vault.ts'
import type { GroupSettings } from './resolve-check.ts'

/** A group as it is stored: complete, its private locations are ids. */
export type GroupDefinition = GroupFields

/** What a group is for its checks. The definition holds masks where secrets are. */
export interface StoredGroup extends Pick<CheckGroupsRow, 'id'> {
  definition: GroupDefinition
  /** Sealed, by dotted path. */
  secrets: Record<string, string>
}

/** Undefined when the account has no such group. */
export async function readGroup(client: Queryable, account: string, id: unknown): Promise<StoredGroup | undefined> {
  return (await readGroupsById(client, account, [id])).get(id)
}

/** Those of the groups that the account has. Ids that are no numbers name none. */
export async function readGroupsById(
  client: Queryable,
  account: string,
  ids: readonly unknown[],
): Promise<ReadonlyMap<unknown, StoredGroup>> {
  const named = new Set(ids.filter((id) => typeof id === 'number'))
  if (named.size === 0) return new Map()
  const { rows } = await client.query<StoredGroup>(
    'SELECT id, definition, secrets FROM check_groups WHERE account_id = $1 AND id = ANY($2::bigint[])',
    [account, [...named]],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Those of the ids that the account does not have. */
export async function unknownGroups(client: Queryable, account: string, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await client.query<{ id: number }>(
    'SELECT id FROM check_groups WHERE account_id = $1 AND id = ANY($2::bigint[])',
    [account, ids],
  )
  const known = new Set(rows.map(({ id }) => id))
  return new Set(ids.filter((id) => !known.has(id)))
}

export async function readGroups(client: Queryable, account: string): Promise<ReadonlyMap<number, StoredGroup>> {
  const { rows } = await client.query<StoredGroup>(
    'SELECT id, definition, secrets FROM check_groups WHERE account_id = $1',
    [account],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Where the secrets of a group are. */
export const groupSecrets = {
  secretPaths: ['apiCheckDefaults.basicAuth.password', 'environmentVariables.[secret].value'],
}

export const groupSecretPlace = (account: string, id: number, field: string): SecretPlace => ({
  account,
  table: 'check_groups',
  row: String(id),
  field,
})

/** The definition with secrets in the clear. It is never sent as an answer. */
export const openGroup = (vault: Vault, account: string, { id, definition, secrets }: StoredGroup): GroupDefinition =>
  mapSecrets(groupSecrets, { ...definition }, (value, path) => {
    const secret = secrets[path]
    return secret === undefined ? value : vault.open(secret, groupSecretPlace(account, id, path))
  }) as unknown as GroupDefinition

/** What the group adds to the definitions of its checks. */
export const groupDefaults = (vault: Vault, account: string, group: StoredGroup): GroupDefaults =>
  openGroup(vault, account, group)

/** The settings that count for its checks. */
export const groupSettings = ({ definition }: StoredGroup): GroupSettings => ({
  ...definition,
  // It was validated when it was stored.
  alertSettings: definition.alertSettings as GroupSettings['alertSettings'],
  locations: definition.locations,
  privateLocations: (definition.privateLocations ?? []) as LocationId[],
})
