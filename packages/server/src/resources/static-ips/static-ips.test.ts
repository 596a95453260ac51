import { expect, test } from 'vitest'
import { givenApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'
import { readConfig } from '../../config.ts'

const database = useDatabase()
const text = 'us-east-1=192.0.2.20; eu-west-1 = 192.0.2.10,2001:db8:1::/64, 192.0.2.20,192.0.2.10'

async function answers(env: Record<string, string>) {
  const { app } = await givenApi(database.db, { deps: { staticIps: readConfig(env).staticIps } })
  const paths = ['/v1/static-ips', '/v1/static-ipv6s'].flatMap((path) => [path, `${path}-by-region`, `${path}.txt`])
  const found = await Promise.all(paths.map((url) => app.inject({ url })))
  expect(found.map(({ statusCode }) => statusCode)).toEqual(paths.map(() => 200))
  expect(found[2]?.headers['content-type']).toBe('text/plain; charset=utf-8')
  await app.close()
  return found.map(({ body, headers }) =>
    String(headers['content-type']).startsWith('text/') ? body : (JSON.parse(body) as unknown),
  )
}

test('static IPs are what the operator configured, by family and region, for anybody', async () => {
  expect(await answers({ VEDETTE_STATIC_IPS: text })).toEqual([
    ['192.0.2.20', '192.0.2.10'],
    { 'us-east-1': ['192.0.2.20'], 'eu-west-1': ['192.0.2.10', '192.0.2.20'] },
    '192.0.2.20\n192.0.2.10\n',
    ['2001:db8:1::/64'],
    { 'eu-west-1': ['2001:db8:1::/64'] },
    '2001:db8:1::/64\n',
  ])
})

test('there are none where nothing is configured', async () => {
  expect(await answers({})).toEqual([[], {}, '', [], {}, ''])
})

test.each(['192.0.2.1', 'mars=192.0.2.1', 'eu-west-1=', 'eu-west-1=192.0.2.300', 'eu-west-1=a=b', 'eu-west-1=::1/200'])(
  'a start with %j is refused',
  (wrong) => {
    expect(() => readConfig({ VEDETTE_STATIC_IPS: wrong })).toThrow(
      `VEDETTE_STATIC_IPS is "${wrong}": expected region=address,address;region=address`,
    )
  },
)
