import { uuidParam, idParam } from '../../http/schemas/query.ts'
import type { SessionTarget } from '@vedette/wire'
import type { z } from 'zod'

/** What a trigger runs: a check, or the checks of a group. */
export interface TriggerKind {
  table: 'check_triggers' | 'check_group_triggers'
  /** Column with the id of what it runs. */
  column: 'check_id' | 'group_id'
  /** SQL that says of row `t` that what it runs is there. */
  isThere: string
  /** SQL that locks what it is to run; $1 is the account, $2 the id. */
  lock: string
  /** The id, in addresses and answers. */
  field: 'checkId' | 'groupId'
  idSchema: z.ZodType<string | number>
  /** In paths of the API and of calls. */
  path: 'checks' | 'check-groups'
  noun: 'check' | 'check group'
  targetOf(id: string | number): Pick<SessionTarget, 'checkId' | 'groupId' | 'matchTags'>
}

const ofCheck: TriggerKind = {
  table: 'check_triggers',
  column: 'check_id',
  isThere: 'EXISTS (SELECT 1 FROM checks c WHERE c.id = t.check_id AND c.deleted_at IS NULL)',
  lock: 'SELECT type FROM checks WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE',
  field: 'checkId',
  idSchema: uuidParam('check'),
  path: 'checks',
  noun: 'check',
  targetOf: (id) => ({ checkId: [String(id)], groupId: [], matchTags: [] }),
}

const ofGroup: TriggerKind = {
  table: 'check_group_triggers',
  column: 'group_id',
  isThere: 'true',
  lock: 'SELECT NULL AS type FROM check_groups WHERE account_id = $1 AND id = $2 FOR SHARE',
  field: 'groupId',
  idSchema: idParam('check group'),
  path: 'check-groups',
  noun: 'check group',
  targetOf: (id) => ({ checkId: [], groupId: [Number(id)], matchTags: [] }),
}

export const triggerKinds: readonly TriggerKind[] = [ofCheck, ofGroup]

export const triggerPath = ({ path }: TriggerKind, id: string | number, token: string): string =>
  `/${path}/${id}/trigger/${token}`
