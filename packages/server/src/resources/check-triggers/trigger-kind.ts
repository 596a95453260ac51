import { uuidParam, idParam } from '../../http/schemas/query.ts'
import type { SessionTarget } from '@vedette/wire'
import type { z } from 'zod'

/** What a trigger runs: a check, or the checks of a group. */
export interface TriggerKind {
  table: 'check_triggers' | 'check_group_triggers'
  /** Column with the id of what it runs. */
  column: 'check_id' | 'group_id'
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
  field: 'checkId',
  idSchema: uuidParam('check'),
  path: 'checks',
  noun: 'check',
  targetOf: (id) => ({ checkId: [String(id)], groupId: [], matchTags: [] }),
}

const ofGroup: TriggerKind = {
  table: 'check_group_triggers',
  column: 'group_id',
  field: 'groupId',
  idSchema: idParam('check group'),
  path: 'check-groups',
  noun: 'check group',
  targetOf: (id) => ({ checkId: [], groupId: [Number(id)], matchTags: [] }),
}

export const triggerKinds: readonly TriggerKind[] = [ofCheck, ofGroup]

export const triggerPath = ({ path }: TriggerKind, id: string | number, token: string): string =>
  `/${path}/${id}/trigger/${token}`
