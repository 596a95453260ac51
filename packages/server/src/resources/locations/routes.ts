import { locationEntry, locations } from '@vedette/wire'
import { z } from 'zod'
import { locationName } from '../../alerting/index.ts'
import type { App } from '../../http/build-http.ts'

export function locationRoutes(app: App): void {
  app.get(
    '/v1/locations',
    {
      config: { access: 'public' },
      schema: {
        tags: ['Locations'],
        summary: 'List the data-center locations',
        description: 'Anybody may read it.',
        response: { 200: z.array(locationEntry) },
      },
    },
    async () => locations.map((region) => ({ region, name: locationName(region) })),
  )
}
