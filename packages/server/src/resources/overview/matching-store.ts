import type { CheckState, OverviewSection } from '@vedette/wire'
import { shownSince, shownState } from '../../db/check-state.ts'

export interface OverviewFilter {
  accountId: string
  nowMs: number
  search?: string | undefined
  tags: readonly string[]
  untagged?: boolean | undefined
  host?: string | undefined
  group?: number | undefined
  ungrouped?: boolean | undefined
  types: readonly string[]
  muted?: boolean | undefined
  states: readonly CheckState[]
  section?: OverviewSection | undefined
  checkId?: string | undefined
}

/** A query over the checks that match, in the making. */
export interface Matching {
  /** Parameters so far. */
  values: unknown[]
  /** Adds a parameter and returns its name. */
  add: (value: unknown) => string
  /** The checks that match, of all states: `state` and the columns asked for. $1 is the account, $2 now. */
  rows: string
  /** Condition on these columns: of the states and the section asked for. */
  ofStates: string
}

/** Only what is asked for stands in the query, so that it reads the narrow index of checks and not their rows. */
export function matching(filter: OverviewFilter, columns: readonly MatchColumn[]): Matching {
  const values: unknown[] = [filter.accountId, new Date(filter.nowMs)]
  const add = (value: unknown) => `$${values.push(value)}`
  const where = conditions(filter, add)
  const all = filter.section === undefined ? columns : [...new Set([...columns, 'muted' as const])]
  const rows = `SELECT ${shownState('$2')} AS state${all.map((column) => `, ${columnSql[column]} AS ${column}`).join('')}
    FROM checks c JOIN check_status s ON s.check_id = c.id WHERE ${where.join(' AND ')}`
  const ofStates = filter.states.length === 0 ? 'true' : `state = ANY(${add(filter.states)}::text[])`
  const ofSection = filter.section === undefined ? 'true' : `${section} = ${add(filter.section)}`
  return { values, add, rows, ofStates: `${ofStates} AND ${ofSection}` }
}

/** Muted now: for good, or until a time to come. */
export const mutedNow = '(c.muted AND (c.muted_until IS NULL OR c.muted_until > $2))'

/** Part of the list a check stands in, from its `state` and `muted`: what is muted is not counted as trouble. */
export const section = `CASE WHEN state = 'paused' THEN 'paused' WHEN muted THEN 'muted'
  WHEN state IN ('failing', 'degraded', 'unknown') THEN 'trouble' WHEN state = 'pending' THEN 'waiting' ELSE 'passing' END`

const columnSql = {
  id: 'c.id',
  name: 'c.name',
  tags: 'c.tags',
  host: 'c.host',
  group_id: 'c.group_id',
  muted: mutedNow,
  since: shownSince('$2'),
  last_run_at: 's.last_run_at',
  last_response_ms: 's.last_response_ms',
} as const
export type MatchColumn = keyof typeof columnSql

function conditions(filter: OverviewFilter, add: (value: unknown) => string): string[] {
  const { search, tags, untagged, host, group, ungrouped, types, muted, checkId } = filter
  const where = ['c.account_id = $1', 'c.deleted_at IS NULL']
  if (search !== undefined) {
    const pattern = add(`%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)
    where.push(`(c.name ILIKE ${pattern} OR c.target ILIKE ${pattern})`)
  }
  if (tags.length > 0) where.push(`c.tags && ${add(tags)}::text[]`)
  if (untagged !== undefined) where.push(`c.tags ${untagged ? '=' : '<>'} '{}'`)
  if (host !== undefined) where.push(`c.host = ${add(host)}`)
  if (group !== undefined) where.push(`c.group_id = ${add(group)}`)
  if (ungrouped !== undefined) where.push(`c.group_id IS ${ungrouped ? '' : 'NOT '}NULL`)
  if (types.length > 0) where.push(`c.type = ANY(${add(types)}::text[])`)
  if (muted !== undefined) where.push(`${mutedNow} = ${add(muted)}`)
  if (checkId !== undefined) where.push(`c.id = ${add(checkId)}`)
  return where
}
