import {
  accountSuspend,
  installationAccount,
  installationAccountCreate,
  installationAccountCreated,
} from '@vedette/wire'
import { z } from 'zod'
import type { App } from '../../http/build-http.ts'
import { contextOf } from '../../http/callers/verb-context.ts'
import { offsetOf, pageQuery, setContentRange } from '../../http/schemas/paging.ts'
import { uuidParam } from '../../http/schemas/query.ts'
import type { ApiDeps } from '../api-deps.ts'
import { inviteInto } from '../members/index.ts'
import { listAllAccounts } from './installation-store.ts'
import { installationVerbs } from './installation-verbs.ts'

const tags = ['Installation']
const path = '/v1/installation/accounts'

/** Accounts of the whole installation, for its operator. */
export function installationAccountRoutes(app: App, deps: ApiDeps): void {
  const verbs = installationVerbs(deps, inviteInto(deps))
  app.get(
    path,
    {
      config: { access: 'operator' },
      schema: {
        tags,
        summary: 'List all accounts',
        querystring: z.strictObject(pageQuery),
        response: { 200: z.array(installationAccount) },
      },
    },
    async ({ query }, reply) => {
      const found = await listAllAccounts(deps.db.pool, { limit: query.limit, offset: offsetOf(query) })
      setContentRange(reply, query, found.accounts.length, found.total)
      return found.accounts
    },
  )

  app.post(
    path,
    {
      config: { access: 'operator' },
      schema: {
        tags,
        summary: 'Create an account',
        description: 'Whoever joins by the link in the answer owns the account.',
        body: installationAccountCreate,
        response: { 201: installationAccountCreated },
      },
    },
    async (request, reply) => reply.code(201).send(await verbs.create(contextOf(request), request.body)),
  )
  suspensionRoutes(app, verbs)
}

function suspensionRoutes(app: App, verbs: ReturnType<typeof installationVerbs>): void {
  const params = z.object({ accountId: uuidParam('account') })
  app.post(
    `${path}/:accountId/suspend`,
    {
      config: { access: 'operator' },
      schema: {
        tags,
        summary: 'Suspend an account',
        description: 'Its keys and members get a 403, its checks do not run, and nothing alerts. Everything is kept.',
        params,
        body: accountSuspend,
        response: { 200: installationAccount },
      },
    },
    (request) => verbs.suspend(contextOf(request), request.params.accountId, request.body.because),
  )

  app.post(
    `${path}/:accountId/resume`,
    {
      config: { access: 'operator' },
      schema: {
        tags,
        summary: 'Resume an account',
        description: 'Everything is as it was before it was suspended.',
        params,
        response: { 200: installationAccount },
      },
    },
    (request) => verbs.resume(contextOf(request), request.params.accountId),
  )
}
