import { alertSettingsSchema, completeAlertSettings, locations } from '@vedette/wire'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { notFound } from '../../http/api-error.ts'
import { audit } from '../../http/audit.ts'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps, ApiHooks } from '../../http/deps.ts'
import { uuidParam } from '../../http/query.ts'
import { resolveChecksOfAccount } from '../../settings/store.ts'
import { listAccounts, updateAccount } from './store.ts'

const tags = ['Accounts']

const accountResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    alertSettings: z.looseObject({}).describe('Used by checks with `useGlobalAlertSettings`.'),
    defaultLocations: z.array(z.string()).describe('Where checks run that name no location.'),
    created_at: z.string(),
    updated_at: z.string().nullable(),
  })
  .meta({ id: 'Account' })

const accountUpdate = z.strictObject({
  name: z.string().min(1).max(255).optional(),
  alertSettings: alertSettingsSchema.optional(),
  defaultLocations: z.array(z.enum(locations)).min(1).max(locations.length).optional(),
})

export function accountRoutes(app: App, deps: ApiDeps): void {
  readRoutes(app, deps)
  updateRoute(app, deps)
}

function readRoutes(app: App, { db }: ApiDeps): void {
  app.get(
    '/v1/accounts',
    {
      config: { access: 'read' },
      schema: { tags, summary: 'List accounts', response: { 200: z.array(accountResponse) } },
    },
    async ({ principal }) => listAccounts(db.pool, principal),
  )

  app.get(
    '/v1/accounts/me',
    { config: { access: 'read' }, schema: { tags, summary: 'Read the account', response: { 200: accountResponse } } },
    async ({ principal }) => {
      const [account] = await listAccounts(db.pool, { accountId: principal.accountId })
      if (!account) throw notFound('The account')
      return account
    },
  )

  app.get(
    '/v1/accounts/:accountId',
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'Read an account',
        params: z.object({ accountId: uuidParam() }),
        response: { 200: accountResponse },
      },
    },
    async ({ principal, params }) => {
      const account = (await listAccounts(db.pool, principal)).find(({ id }) => id === params.accountId)
      if (!account) throw notFound('The account')
      return account
    },
  )
}

function updateRoute(app: App, { db, clock, hooks }: ApiDeps): void {
  app.patch(
    '/v1/accounts/me',
    {
      config: { access: 'admin' },
      schema: { tags, summary: 'Change the account', body: accountUpdate, response: { 200: accountResponse } },
    },
    async (request) => {
      const { name, alertSettings, defaultLocations } = request.body
      const { accountId } = request.principal
      const { account, checkIds } = await db.transaction(async (client) => {
        const account = await updateAccount(client, accountId, {
          ...(name !== undefined && { name }),
          ...(alertSettings && { alertSettings: completeAlertSettings(alertSettings) }),
          ...(defaultLocations && { defaultLocations }),
          at: new Date(clock.now()),
        })
        if (!account) throw notFound('The account')
        const checkIds = alertSettings || defaultLocations ? await resolveChecksOfAccount(client, accountId) : []
        await audit(client, request, { action: 'update', resource: 'accounts', id: accountId }, clock.now())
        return { account, checkIds }
      })
      await announce(hooks, request, checkIds)
      return account
    },
  )
}

/** The settings are committed: trouble of the schedule, which reads them again by itself, is none of the caller's. */
async function announce(hooks: ApiHooks, request: FastifyRequest, checkIds: readonly string[]): Promise<void> {
  if (checkIds.length === 0) return
  try {
    await hooks.checksChanged(checkIds)
  } catch (error) {
    request.log.error({ err: error, checks: checkIds.length }, 'the schedule did not take a change of an account')
  }
}
