import { randomBytes } from 'node:crypto'
import { recoveryCodesResponse, totpConfirm, totpDraft, totpRemove, totpStart } from '@vedette/wire'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { conflict } from '../api-error.ts'
import type { App } from '../http/build-http.ts'
import { contextOf } from '../http/callers/verb-context.ts'
import { personOf, refuseWhenBlocked, type Gate, type SignInOptions } from './open-session.ts'
import { checkCurrentPassword } from './password-routes.ts'
import { provenStep, recoveryCodes, secondFactor, shownCode } from './second-factor.ts'
import { secondFactorStore } from './second-factor-store.ts'
import { base32, otpauthUri } from './totp.ts'

const secretBytes = 20

/** A person sets up the second factor, gets new recovery codes, and takes the factor away. */
export function secondFactorRoutes(app: App, options: SignInOptions, gate: Gate): void {
  enrolRoutes(app, options, gate)
  changeRoutes(app, options, gate)
}

function enrolRoutes(app: App, options: SignInOptions, gate: Gate): void {
  const { store, clock, write, vault } = options
  const factors = secondFactorStore(vault)
  const changed = auditedBy(write)

  app.post('/session/totp', {
    schema: { body: totpStart, response: { 200: totpDraft } },
    config: { access: 'read', secretPaths: ['currentPassword'] },
    handler: async (request) => {
      const { userId, accountId } = personOf(request)
      await checkCurrentPassword(store, gate, { userId, sent: request.body.currentPassword })
      const secret = randomBytes(secretBytes)
      if (!(await factors.draft(store.db.pool, userId, secret))) throw alreadySet()
      const profile = await store.profile(userId, accountId)
      return { secret: base32(secret), uri: otpauthUri(secret, profile?.email ?? '') }
    },
  })

  app.put('/session/totp', {
    schema: { body: totpConfirm, response: { 200: recoveryCodesResponse } },
    config: { access: 'read', secretPaths: ['code'] },
    handler: async (request) => {
      const { userId } = personOf(request)
      const name = `code ${userId}`
      refuseWhenBlocked(gate, [name])
      const factor = await factors.read(store.db.pool, userId)
      if (!factor) throw conflict('There is no second factor to confirm; begin anew.')
      if (factor.since) throw alreadySet()
      gate.failed(name)
      const step = provenStep(factor.secret, request.body.code, clock.now())
      gate.succeeded(name)
      const codes = recoveryCodes()
      await changed(request, async (client, at) => {
        if (!(await factors.confirm(client, userId, { step, codes, at }))) throw alreadySet()
        return { secondFactor: true }
      })
      return { recoveryCodes: codes.map(shownCode) }
    },
  })
}

function changeRoutes(app: App, options: SignInOptions, gate: Gate): void {
  const { write, vault } = options
  const factors = secondFactorStore(vault)
  const changed = auditedBy(write)
  const check = secondFactor(options, gate, 400)

  app.post('/session/totp/recovery-codes', {
    schema: { body: totpConfirm, response: { 200: recoveryCodesResponse } },
    config: { access: 'read', secretPaths: ['code'] },
    handler: async (request) => {
      const { userId } = personOf(request)
      await needsFactor(options, userId)
      await check(options.store.db.pool, userId, request.body.code)
      const codes = recoveryCodes()
      await changed(request, async (client) => {
        await factors.setCodes(client, userId, codes)
        return { recoveryCodes: '******' }
      })
      return { recoveryCodes: codes.map(shownCode) }
    },
  })

  app.post('/session/totp/remove', {
    schema: { body: totpRemove, response: { 204: z.null() } },
    config: { access: 'read', secretPaths: ['code', 'currentPassword'] },
    handler: async (request, reply) => {
      const { userId } = personOf(request)
      await needsFactor(options, userId)
      await checkCurrentPassword(options.store, gate, { userId, sent: request.body.currentPassword })
      await check(options.store.db.pool, userId, request.body.code)
      await changed(request, async (client) => {
        await factors.remove(client, userId)
        return { secondFactor: false }
      })
      return reply.code(204).send(null)
    },
  })
}

const alreadySet = () => conflict('A second factor is set up already; remove it first.')

async function needsFactor({ store, vault }: SignInOptions, userId: string): Promise<void> {
  const factor = await secondFactorStore(vault).read(store.db.pool, userId)
  if (!factor?.since) throw conflict('No second factor is set up.')
}

type Work = Parameters<SignInOptions['write']>[2]

/** Changes how the person signs in, and writes that down without any secret. */
const auditedBy =
  (write: SignInOptions['write']) =>
  (
    request: FastifyRequest,
    work: (client: Parameters<Work>[0]['client'], at: Date) => Promise<Record<string, unknown>>,
  ): Promise<undefined> =>
    write(contextOf(request), { action: 'update', resource: 'users' }, async ({ client, at }) => ({
      id: personOf(request).userId,
      answer: undefined,
      after: await work(client, at),
    }))
