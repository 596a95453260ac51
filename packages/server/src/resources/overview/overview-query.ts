import {
  checkStates,
  checkTypeNames,
  overviewGroupings,
  overviewParts,
  overviewSections,
  overviewSorts,
  uuidOf,
} from '@vedette/wire'
import { z } from 'zod'
import { pageQuery } from '../../http/schemas/paging.ts'
import { booleanParam, idQuery, listParam } from '../../http/schemas/query.ts'

export const overviewQuery = z.strictObject({
  ...pageQuery,
  search: z.string().min(1).max(255).optional().describe('Part of the name or target.'),
  tag: listParam(z.string()).optional().describe('Checks with at least one of the tags.'),
  untagged: booleanParam().optional().describe('Only checks without tags, or only those with one.'),
  host: z.string().max(255).optional().describe('Checks that look at exactly this host; empty: at none.'),
  group: idQuery().optional().describe('Checks of this check group.'),
  ungrouped: booleanParam().optional().describe('Only checks of no group, or only those of one.'),
  type: listParam(z.enum(checkTypeNames)).optional(),
  muted: booleanParam().optional().describe('Only muted checks, or only those that are not.'),
  state: listParam(z.enum(checkStates)).optional(),
  section: z.enum(overviewSections).optional().describe('Checks of this part of the list.'),
  checkId: uuidOf('a check').optional().describe('This check alone.'),
  sort: z
    .enum(overviewSorts)
    .default('trouble')
    .describe('lastRun: newest first. responseTime: slowest last run first.')
    .meta({ default: 'trouble' }),
  groupBy: z
    .enum(overviewGroupings)
    .default('none')
    .describe(
      'Answers with `groups`. The checks of one are those of the same query with `section`, `tag`, `host`, `group` or `state`.',
    )
    .meta({ default: 'none' }),
  with: listParam(z.enum(overviewParts)).optional().describe('Parts of the answer; all of them when not sent.'),
})
export type OverviewQuery = z.infer<typeof overviewQuery>
