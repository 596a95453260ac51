import { accountResponse, accountUpdate } from '@vedette/wire'
import { z } from 'zod'
import { notFound } from '../../api-error.ts'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps } from '../api-deps.ts'
import { uuidParam } from '../../http/schemas/query.ts'
import { contextOf } from '../../http/callers/verb-context.ts'
import { listAccounts } from './store.ts'
import { updateAccount } from './update-account.ts'

const tags = ['Accounts']

export function accountRoutes(app: App, deps: ApiDeps): void {
  const { db } = deps
  const update = updateAccount(deps)

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
      if (!account) throw notFound('account')
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
        params: z.object({ accountId: uuidParam('account') }),
        response: { 200: accountResponse },
      },
    },
    async ({ principal, params }) => {
      const account = (await listAccounts(db.pool, principal)).find(({ id }) => id === params.accountId)
      if (!account) throw notFound('account')
      return account
    },
  )

  app.patch(
    '/v1/accounts/me',
    {
      config: { access: 'admin' },
      schema: { tags, summary: 'Change the account', body: accountUpdate, response: { 200: accountResponse } },
    },
    (request) => update(contextOf(request), request.body),
  )
}
