import { auditActions, auditEntry } from '@vedette/wire'
import { z } from 'zod'
import { invalidField } from '../../api-error.ts'
import type { App } from '../../http/build-http.ts'
import { offsetOf, pageQuery, setContentRange } from '../../http/schemas/paging.ts'
import { instantParam } from '../../http/schemas/query.ts'
import type { ApiDeps } from '../api-deps.ts'
import { listAudit } from './store.ts'

const auditQuery = z.strictObject({
  ...pageQuery,
  resource: z.string().min(1).max(100).optional().describe('As in paths: `checks`, `variables`, …'),
  resourceId: z.string().min(1).max(300).optional(),
  actor: z.string().min(1).max(100).optional().describe('As `actor` of an entry says it.'),
  action: z.enum(auditActions).optional(),
  from: instantParam().optional().describe('Entries from this time on: UNIX seconds or ISO 8601.'),
  to: instantParam().optional().describe('Entries before this time.'),
})

export function auditLogRoutes(app: App, { db }: ApiDeps): void {
  app.get(
    '/v1/audit-log',
    {
      config: { access: 'admin' },
      schema: {
        tags: ['Audit log'],
        summary: 'List changes',
        description: 'Who changed what, the newest first. Secrets are masked.',
        querystring: auditQuery,
        response: { 200: z.array(auditEntry) },
      },
    },
    async ({ principal: { accountId: account }, query }, reply) => {
      const { limit, page, from, to, resource, resourceId, actor, action } = query
      if (from !== undefined && to !== undefined && from > to)
        throw invalidField('from', 'must not be after "to"', 'query')
      const filter = { account, resource, resourceId, actor, action, from, to }
      const found = await listAudit(db.pool, filter, { limit, offset: offsetOf({ limit, page }) })
      setContentRange(reply, query, found.entries.length, found.total)
      return found.entries
    },
  )
}
