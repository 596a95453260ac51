import type { AddressesOfRegion } from '@vedette/wire'
import { z } from 'zod'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps } from '../api-deps.ts'

const tags = ['Static IPs']
const config = { access: 'public' } as const

interface Family {
  path: string
  /** What it lists, for people. */
  title: string
  schema: z.ZodType<string>
  of: (region: AddressesOfRegion) => readonly string[]
}

const families: readonly Family[] = [
  {
    path: '/v1/static-ips',
    title: 'IPv4 addresses',
    schema: z.string().meta({ format: 'ipv4' }),
    of: ({ ipv4 }) => ipv4,
  },
  {
    path: '/v1/static-ipv6s',
    title: 'IPv6 addresses and ranges',
    schema: z.string().describe('An address, or a range in CIDR notation.'),
    of: ({ ipv6 }) => ipv6,
  },
]

/** The addresses from which agents reach their targets. They are what the operator configured: none unless that was done. */
export function staticIpRoutes(app: App, { staticIps }: Pick<ApiDeps, 'staticIps'>): void {
  for (const family of families) addFamily(app, staticIps, family)
}

function addFamily(app: App, regions: readonly AddressesOfRegion[], { path, title, schema, of }: Family): void {
  const described = { tags, description: 'As the operator of this installation states them. Anybody may read it.' }
  const all = [...new Set(regions.flatMap(of))]
  const byRegion = Object.fromEntries(
    regions.flatMap((one) => (of(one).length === 0 ? [] : [[one.region, [...of(one)]]])),
  )

  app.get(
    path,
    {
      config,
      schema: {
        ...described,
        summary: `List the ${title} from which checks come`,
        response: { 200: z.array(schema) },
      },
    },
    async () => all,
  )

  app.get(
    `${path}-by-region`,
    {
      config,
      schema: {
        ...described,
        summary: `List the ${title} from which checks come, by location`,
        response: { 200: z.record(z.string(), z.array(schema)) },
      },
    },
    async () => byRegion,
  )

  app.get(
    `${path}.txt`,
    {
      config,
      schema: {
        ...described,
        summary: `List the ${title} from which checks come, as text`,
        produces: ['text/plain'],
        response: {
          200: { description: 'One in each line.', content: { 'text/plain': { schema: z.string() } } },
        },
      },
    },
    async (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send(all.map((address) => `${address}\n`).join('')),
  )
}
