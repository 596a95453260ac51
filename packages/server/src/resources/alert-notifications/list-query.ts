import { uuidOf } from '@vedette/wire'
import { z } from 'zod'
import { pageQuery } from '../../http/schemas/paging.ts'
import { booleanParam, idQuery, instantParam } from '../../http/schemas/query.ts'

export const listQuery = z.strictObject({
  ...pageQuery,
  from: instantParam().optional().describe('UNIX seconds, included. Six hours ago when not sent.'),
  to: instantParam().optional().describe('UNIX seconds, not included. Six hours after `from` when not sent.'),
  alertChannelId: idQuery().optional(),
  hasFailures: booleanParam().optional().describe('true: those that were given up; false: the others.'),
  checkId: uuidOf('a check').optional().describe('Those of one check. Without `to` the window ends now.'),
  checkResultId: uuidOf('a result').optional().describe('Those a result led to. Without `to` the window ends now.'),
  includeSystem: booleanParam().optional().describe('true: those of Vedette itself too, which are of no check.'),
})
export type ListQuery = z.infer<typeof listQuery>
