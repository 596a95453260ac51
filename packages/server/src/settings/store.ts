import { isDeepStrictEqual } from 'node:util'
import type { LocationId } from '@vedette/wire'
import type { Queryable } from '../db/database.ts'
import type { ChecksRow } from '../db/rows.ts'
import { groupSettings, readGroups } from './group-store.ts'
import {
  ownSettingNames,
  resolveCheck,
  type AccountSettings,
  type EffectiveCheck,
  type OwnSettings,
} from './resolve-check.ts'

/** The JSON in `checks.effective`. `activated` and `tags` of the effective check have their own columns. */
export type StoredEffective = Omit<EffectiveCheck, 'activated' | 'tags'>

/** What of an effective check is stored in which column. */
export interface EffectiveColumns {
  activated: boolean
  tags: string[]
  effective: StoredEffective
}

export function effectiveColumns({ activated, tags, ...effective }: EffectiveCheck): EffectiveColumns {
  return { activated, tags, effective }
}

/** SQL over `c` (checks): what `isMuted` says. `now` is the parameter that holds the current time. */
export const mutedAt = (now: string): string =>
  `((c.effective->'muted')::boolean AND coalesce((c.effective->>'mutedUntil')::timestamptz > ${now}::timestamptz, true))`

/**
 * The account's settings, locked until the end of the transaction, so that they do not change before the check resolved
 * with them is stored. Call it before locking a check: changes of the account lock in that order.
 */
export async function lockAccountSettings(client: Queryable, account: string): Promise<AccountSettings> {
  return settingsOf(client, account, 'FOR SHARE')
}

/**
 * Locks the account against changes of its checks, for a change that concerns many of them. It is written as a lock of the
 * account, because that is what changes of checks take first.
 */
export async function lockChecksOfAccount(client: Queryable, account: string): Promise<void> {
  await client.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [account])
}

/** The same as `lockAccountSettings` without a lock, for reading. */
export const readAccountSettings = (client: Queryable, account: string): Promise<AccountSettings> =>
  settingsOf(client, account, '')

async function settingsOf(client: Queryable, account: string, lock: '' | 'FOR SHARE'): Promise<AccountSettings> {
  const { rows } = await client.query<{
    alert_settings: AccountSettings['alertSettings']
    default_locations: LocationId[]
    suspended: boolean
  }>(
    `SELECT alert_settings, default_locations, suspended_at IS NOT NULL AS suspended FROM accounts WHERE id = $1 ${lock}`,
    [account],
  )
  if (!rows[0]) throw new Error(`There is no account ${account}.`)
  const [{ alert_settings: alertSettings, default_locations: defaultLocations, suspended }] = rows as [(typeof rows)[0]]
  return { alertSettings, defaultLocations, suspended }
}

/** The embedded database has one connection: no statement may block it for long. */
const batchSize = 500

interface CheckRow extends Pick<ChecksRow, 'id' | 'activated' | 'tags' | 'muted_until' | 'group_id'> {
  own: OwnSettings
  effective: StoredEffective
}

export interface ResolvedChecks {
  /** Checks that run or did, whose settings in force changed. */
  changed: string[]
  /** Those of them that do not run any more. */
  stopped: string[]
  /** Those of them that did not run, and are to run at once. */
  started: string[]
}

/**
 * Resolves the account's checks, or those of one of its groups, in the transaction that changed the settings of either at
 * this time.
 */
export async function resolveChecks(
  client: Queryable,
  { account, groupId, at }: { account: string; groupId?: number; at: Date },
): Promise<ResolvedChecks> {
  const settings = await readAccountSettings(client, account)
  const groups = await readGroups(client, account)
  const resolved: ResolvedChecks = { changed: [], stopped: [], started: [] }
  let after = '00000000-0000-0000-0000-000000000000'
  for (let length = batchSize; length === batchSize;) {
    const rows = await readOwnSettings(client, { account, groupId, after })
    const outdated = rows.flatMap(({ own, muted_until, ...row }) => {
      const group = row.group_id === null ? undefined : groups.get(row.group_id)
      const mutedUntil = muted_until?.toISOString() ?? null
      const check = resolveCheck({ ...own, mutedUntil }, group && groupSettings(group), settings)
      return isDeepStrictEqual(check, effectiveOf(row)) ? [] : [{ row, check }]
    })
    await writeEffective(
      client,
      outdated.map(({ row, check }) => ({ id: row.id, ...effectiveColumns(check) })),
    )
    const concerned = outdated.filter(({ row, check }) => row.activated || check.activated)
    resolved.changed.push(...concerned.map(({ row }) => row.id))
    resolved.stopped.push(...concerned.filter(({ check }) => !check.activated).map(({ row }) => row.id))
    resolved.started.push(...concerned.filter(({ row }) => !row.activated).map(({ row }) => row.id))
    length = rows.length
    after = rows.at(-1)?.id ?? after
  }
  await countFrom(client, resolved.started, at)
  return resolved
}

/** These checks were switched on then: what they waited for, and what is known of them, is of before. */
export async function countFrom(client: Queryable, ids: readonly string[], at: Date): Promise<void> {
  for (let first = 0; first < ids.length; first += batchSize)
    await client.query('UPDATE checks SET counted_from = $2 WHERE id = ANY($1::uuid[])', [
      ids.slice(first, first + batchSize),
      at,
    ])
}

const effectiveOf = ({
  activated,
  tags,
  effective,
}: Pick<CheckRow, 'activated' | 'tags' | 'effective'>): EffectiveCheck => ({
  activated,
  tags,
  ...effective,
})

async function readOwnSettings(
  client: Queryable,
  { account, groupId, after }: { account: string; groupId: number | undefined; after: string },
): Promise<CheckRow[]> {
  const { rows } = await client.query<CheckRow>(
    `SELECT id, activated, tags, effective, muted_until, group_id,
       (SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(definition) WHERE key = ANY($3::text[])) AS own
     FROM checks WHERE account_id = $1 AND deleted_at IS NULL AND id > $2 ${groupId === undefined ? '' : 'AND group_id = $4'}
     ORDER BY id LIMIT ${batchSize}`,
    [account, after, ownSettingNames, ...(groupId === undefined ? [] : [groupId])],
  )
  return rows
}

async function writeEffective(client: Queryable, rows: readonly ({ id: string } & EffectiveColumns)[]): Promise<void> {
  if (rows.length === 0) return
  await client.query(
    `UPDATE checks c SET activated = r.activated, effective = r.effective, tags = ARRAY(SELECT jsonb_array_elements_text(r.tags))
     FROM json_to_recordset($1::json) AS r(id uuid, activated boolean, tags jsonb, effective jsonb) WHERE c.id = r.id`,
    [JSON.stringify(rows)],
  )
}
