import type { CheckResult } from '@vedette/checks'
import type { CursorList } from '@vedette/wire'

const fields = [
  'id',
  'resultType',
  'name',
  'checkId',
  'checkType',
  'outcome',
  'isDegraded',
  'overMaxResponseTime',
  'runLocation',
  'startedAt',
  'stoppedAt',
  'dueAt',
  'responseTime',
  'attempts',
  'sequenceId',
  'cause',
  'emulatedLocation',
] as const satisfies readonly (keyof CheckResult)[]

/** What lists of results ask for; bodies are left to the page of one result. */
export const listedFields = fields.join(',')
export type ListedResult = Pick<CheckResult, (typeof fields)[number]>
export type ResultList = CursorList<ListedResult>
