import { clientCertificateCreate, clientCertificateResponse } from '@vedette/wire'
import { z } from 'zod'
import { notFound } from '../../api-error.ts'
import type { App } from '../../http/build-http.ts'
import { contextOf } from '../../http/callers/verb-context.ts'
import { emptyBody } from '../../http/schemas/empty-body.ts'
import { uuidParam } from '../../http/schemas/query.ts'
import type { ApiDeps } from '../api-deps.ts'
import { listCertificates, readStored } from './store.ts'
import { certificateVerbs } from './write-certificate.ts'

const tags = ['Client certificates']
const params = z.object({ id: uuidParam('client certificate') })

export function clientCertificateRoutes(app: App, deps: ApiDeps): void {
  readRoutes(app, deps)
  writeRoutes(app, deps)
}

function readRoutes(app: App, { db }: ApiDeps): void {
  app.get(
    '/v1/client-certificates',
    {
      config: { access: 'read' },
      schema: { tags, summary: 'List client certificates', response: { 200: z.array(clientCertificateResponse) } },
    },
    ({ principal: { accountId } }) => listCertificates(db.pool, accountId),
  )

  app.get(
    '/v1/client-certificates/:id',
    {
      config: { access: 'read' },
      schema: { tags, summary: 'Read a client certificate', params, response: { 200: clientCertificateResponse } },
    },
    async ({ principal: { accountId }, params: { id } }) => {
      const certificate = await readStored(db.pool, accountId, id)
      if (!certificate) throw notFound('client certificate')
      return certificate
    },
  )
}

function writeRoutes(app: App, deps: ApiDeps): void {
  const certificates = certificateVerbs(deps)

  app.post(
    '/v1/client-certificates',
    {
      config: { access: 'write', secretPaths: ['key', 'passphrase'] },
      schema: {
        tags,
        summary: 'Create a client certificate',
        description:
          'Checks present it to servers of its host that ask for one. Of several for a host the newest counts, and one for the host alone before those with `*`. At most 50.',
        body: clientCertificateCreate,
        response: { 201: clientCertificateResponse },
      },
    },
    async (request, reply) => reply.code(201).send(await certificates.create(contextOf(request), request.body)),
  )

  app.delete(
    '/v1/client-certificates/:id',
    {
      config: { access: 'write' },
      schema: { tags, summary: 'Delete a client certificate', params, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      await certificates.remove(contextOf(request), request.params.id)
      return reply.code(204).send()
    },
  )

  app.post(
    '/v1/client-certificates/:id/restore',
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: 'Bring back a client certificate that was deleted in the last 24 hours',
        params,
        body: emptyBody,
        response: { 200: clientCertificateResponse },
      },
    },
    (request) => certificates.restore(contextOf(request), request.params.id),
  )
}
