import { runtimeResponse } from '@vedette/wire'
import { z } from 'zod'
import { notFound } from '../../api-error.ts'
import type { App } from '../../http/build-http.ts'
import { readRuntimes } from './manifests.ts'

const tags = ['Runtimes']
const config = { access: 'public' } as const

export function runtimeRoutes(app: App): void {
  const runtimes = readRuntimes()

  app.get(
    '/v1/runtimes',
    {
      config,
      schema: {
        tags,
        summary: 'List the runtimes of scripts',
        description: 'The newest first. Anybody may read it.',
        response: { 200: z.array(runtimeResponse) },
      },
    },
    async () => runtimes,
  )

  app.get(
    '/v1/runtimes/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Read a runtime with its packages',
        params: z.object({ id: z.string() }),
        response: { 200: runtimeResponse },
      },
    },
    async ({ params: { id } }) => {
      const runtime = runtimes.find(({ name }) => name === id)
      if (!runtime) throw notFound('runtime')
      return runtime
    },
  )
}
