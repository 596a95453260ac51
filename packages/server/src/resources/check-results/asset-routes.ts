import { assetManifest, assetTypes, tracerouteSchema } from '@vedette/wire'
import { z } from 'zod'
import { ApiError, notFound } from '../../api-error.ts'
import { readAssets, type AssetOfResult } from '../../assets/index.ts'
import type { App } from '../../http/build-http.ts'
import { listParam, uuidParam } from '../../http/schemas/query.ts'
import type { ApiDeps } from '../api-deps.ts'
import { assetUrl } from './asset-url.ts'
import type { ResultRow } from './result-row.ts'
import { readResult } from './store.ts'

const tags = ['Check results']
const params = z.object({ checkId: uuidParam('check'), checkResultId: uuidParam('result') })
const path = '/v1/check-results/:checkId/:checkResultId/assets'

interface Asked {
  account: string
  checkId: string
  checkResultId: string
}

/** Files of results: a list, and the content of each. */
export function assetRoutes(app: App, deps: ApiDeps): void {
  app.get(
    path,
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'List the files of a result',
        description:
          'A run that failed with network trouble may have a traceroute and a capture of its packets, some seconds after its result. Those of a retried run are listed with its last result too; `source` says which attempt they are of.',
        params,
        querystring: z.strictObject({
          type: listParam(z.enum(assetTypes)).optional().describe('Only files of these types.'),
          name: z
            .string()
            .min(1)
            .max(200)
            .optional()
            .describe('Only files of such a name: `*` stands for any characters, `?` for one; case does not matter.'),
        }),
        response: { 200: assetManifest },
      },
    },
    async ({ principal, params: { checkId, checkResultId }, query }) => {
      const { row, assets } = await filesOf(deps, { account: principal.accountId, checkId, checkResultId })
      const wanted = assets.filter(
        ({ name, type }) =>
          (query.type?.includes(type) ?? true) && (query.name === undefined || fits(name, query.name)),
      )
      const entries = wanted.map((asset) => entryOf(row, asset, deps.baseUrl()))
      return { assets: entries, truncated: false, entriesReturned: entries.length, entriesTotal: entries.length }
    },
  )
  contentRoute(app, deps)
}

function contentRoute(app: App, deps: ApiDeps): void {
  app.get(
    `${path}/:name`,
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'Read a file of a result',
        params: params.extend({ name: z.string().min(1).max(200).describe('Name of the file.') }),
        response: {
          200: {
            description: 'The file.',
            content: {
              'application/json': { schema: tracerouteSchema },
              'application/vnd.tcpdump.pcap': { schema: z.string().meta({ format: 'binary' }) },
            },
          },
        },
      },
    },
    async ({ principal, params: { name, ...of } }, reply) => {
      const { row, assets } = await filesOf(deps, { account: principal.accountId, ...of })
      const asset = assets.find((each) => each.name === name && each.resultId === row.id)
      if (asset === undefined) throw notFound('file of the result')
      const content = await deps.assets.read({ dueAt: row.due_at.getTime(), resultId: row.id, name })
      if (content === undefined) throw awayFrom(name)
      // Bytes are sent as they are, by whatever the document says of them.
      return reply
        .type(asset.contentType)
        .header('content-disposition', `attachment; filename="${row.id}-${name}"`)
        .send(content as unknown as string)
    },
  )
}

/** Two servers may keep what agents sent them in different folders. */
const awayFrom = (name: string): ApiError =>
  new ApiError(404, `The file ${name} is not in the folder of this server: servers share VEDETTE_ASSETS_DIR.`)

async function filesOf(
  { db }: ApiDeps,
  { account, checkId, checkResultId: resultId }: Asked,
): Promise<{ row: ResultRow; assets: AssetOfResult[] }> {
  const row = await readResult(db.pool, { account, checkId, resultId })
  if (row === undefined) throw notFound('result')
  const sequenceId = row.result_type === 'FINAL' ? row.sequence_id : null
  return { row, assets: await readAssets(db.pool, account, { resultId, sequenceId }) }
}

/** `*` and `?` stand for characters. Compared step by step, because patterns with many stars must not take long. */
function fits(name: string, pattern: string): boolean {
  const [text, wanted] = [name.toLowerCase(), pattern.toLowerCase()]
  let reached = new Set([0])
  for (const char of wanted) {
    const next = new Set<number>()
    for (const at of reached) {
      if (char === '*') for (let to = at; to <= text.length; to++) next.add(to)
      else if (at < text.length && (char === '?' || char === text[at])) next.add(at + 1)
    }
    reached = next
  }
  return reached.has(text.length)
}

const entryOf = (row: ResultRow, { resultId, name, type, contentType }: AssetOfResult, baseUrl: string) => ({
  type,
  name,
  url: assetUrl(baseUrl, { checkId: row.check_id, resultId }, name),
  contentType,
  source: {
    type: 'check-result' as const,
    checkId: row.check_id,
    checkName: row.check_name,
    checkType: row.check_type,
    resultId,
  },
})
