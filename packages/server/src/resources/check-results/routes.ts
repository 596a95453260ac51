import { checkResult } from '@vedette/checks'
import { checkTypeNames, cursorList, isBodyField, uuidOf } from '@vedette/wire'
import { dueAtOfId } from '@vedette/wire/ids'
import { z } from 'zod'
import { invalidField, notFound } from '../../api-error.ts'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps } from '../api-deps.ts'
import { limitQuery, offsetOf, pageQuery, setContentRange } from '../../http/schemas/paging.ts'
import { booleanParam, instantParam, listParam, uuidParam } from '../../http/schemas/query.ts'
import { checkOrder, sixHourWindow } from '../../http/schemas/six-hour-window.ts'
import { rateLimited } from '../../http/rate-limit.ts'
import { locationsNamed } from '../../locations/location-param.ts'
import { assetRoutes } from './asset-routes.ts'
import { checkExists, countResults, listResults, readResult, type ResultsOf } from './store.ts'
import { pickFields, resultEntry, toResult } from './to-result.ts'

const tags = ['Check results']
const params = z.object({ checkId: uuidParam('check') })

const filters = {
  location: z.string().min(1).max(100).optional().describe('Results of this location only, a region or a private one.'),
  checkType: z.enum(checkTypeNames).optional(),
  hasFailures: booleanParam().optional().describe('Only runs that failed, or only runs that did not.'),
  resultType: z.enum(['FINAL', 'ATTEMPT', 'ALL']).default('FINAL').meta({ default: 'FINAL' }),
  from: instantParam().optional().describe('UNIX timestamp in seconds; results from then on.'),
  to: instantParam().optional().describe('UNIX timestamp in seconds; results before then.'),
}

/** Lists of raw results. Source: contract, "Limits". */
const limited = { access: 'read', ...rateLimited(5, 10) } as const

export function checkResultRoutes(app: App, deps: ApiDeps): void {
  cursorRoute(app, deps)
  pageRoute(app, deps)
  assetRoutes(app, deps)
  app.get(
    '/v1/check-results/:checkId/:checkResultId',
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'Read a result',
        params: z.object({ checkId: uuidParam('check'), checkResultId: uuidParam('result') }),
        response: { 200: checkResult },
      },
    },
    async ({ principal, params: { checkId, checkResultId } }) => {
      const row = await readResult(deps.db.pool, { account: principal.accountId, checkId, resultId: checkResultId })
      if (!row) throw notFound('result')
      return toResult(row, deps.baseUrl())
    },
  )
}

function cursorRoute(app: App, deps: ApiDeps): void {
  const { db } = deps
  app.get(
    '/v2/check-results/:checkId',
    {
      config: limited,
      schema: {
        tags,
        operationId: 'listCheckResultsV2',
        summary: 'List results of a check, newest first',
        params,
        querystring: z.strictObject({
          ...limitQuery,
          ...filters,
          sequenceId: uuidOf('a run').optional().describe('The attempts of one run only; see also `resultType`.'),
          nextId: z.string().optional().describe('`nextId` of the answer before.'),
          fields: listParam(checkResult.keyof()).optional().describe('Only these fields of each entry.'),
        }),
        response: { 200: cursorList(resultEntry) },
      },
    },
    async ({ principal, params: { checkId }, query }) => {
      const { limit, nextId, fields, ...filter } = query
      checkOrder(filter)
      const of = await resultsOf(deps, { account: principal.accountId, checkId, filter })
      const withBody = fields === undefined || fields.some(isBodyField)
      const rows = await listResults(db.pool, of, { limit: limit + 1, after: cursorOf(nextId), withBody })
      const shown = rows.slice(0, limit).map((row) => toResult(row, deps.baseUrl()))
      const last = shown.at(-1)
      return {
        length: shown.length,
        entries: fields ? shown.map((each) => pickFields(each, fields)) : shown,
        nextId: rows.length > limit && last ? last.id : null,
      }
    },
  )
}

interface Asked {
  account: string
  checkId: string
  filter: Omit<ResultsOf['filter'], 'locations'> & { location?: string | undefined }
}

async function resultsOf(
  { db }: ApiDeps,
  { account, checkId, filter: { location, ...filter } }: Asked,
): Promise<ResultsOf> {
  if (!(await checkExists(db.pool, account, checkId))) throw notFound('check')
  if (location === undefined) return { account, checkId, filter }
  return { account, checkId, filter: { ...filter, locations: await locationsNamed(db.pool, account, location) } }
}

function pageRoute(app: App, deps: ApiDeps): void {
  const { db, clock } = deps
  app.get(
    '/v1/check-results/:checkId',
    {
      config: limited,
      schema: {
        tags,
        operationId: 'listCheckResults',
        summary: 'List results of at most six hours',
        description: 'Use `GET /v2/check-results/{checkId}` instead.',
        deprecated: true,
        params,
        querystring: z.strictObject({ ...pageQuery, ...filters }),
        response: { 200: z.array(checkResult) },
      },
    },
    async ({ principal, params: { checkId }, query }, reply) => {
      const { limit, page, ...filter } = query
      const window = sixHourWindow(filter, clock.now())
      const of = await resultsOf(deps, { account: principal.accountId, checkId, filter: { ...filter, ...window } })
      const rows = await listResults(db.pool, of, { limit, offset: offsetOf({ limit, page }), withBody: true })
      setContentRange(reply, { limit, page }, rows.length, await countResults(db.pool, of))
      return rows.map((row) => toResult(row, deps.baseUrl()))
    },
  )
}

function cursorOf(nextId: string | undefined): { dueAt: number; id: string } | undefined {
  if (nextId === undefined) return undefined
  const dueAt = dueAtOfId(nextId)
  if (dueAt === undefined) throw invalidField('nextId', 'must be the "nextId" of an earlier answer', 'query')
  return { dueAt, id: nextId }
}
