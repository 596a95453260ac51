import type { DemoShop } from './demo-shop.ts'

/** Calls the API with the key of the demo. Throws when the answer is an error. */
export type CallApi = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => Promise<unknown>

interface Named {
  id: string | number
  name?: string
  config?: { name?: string }
}

type Shop = Pick<DemoShop, 'url' | 'port' | 'panelUrl'>

const inboxName = 'Demo inbox'

const inbox = ({ panelUrl }: Shop) => ({
  type: 'WEBHOOK',
  config: { name: inboxName, url: `${panelUrl}/alerts` },
  sendDegraded: true,
  autoSubscribe: true,
})

const common = { frequency: 0, frequencyOffset: 10, locations: ['eu-west-1', 'us-east-1'], tags: ['shop'] }

/** The checks of the demo, each with the path of its type. */
const checks = ({ url, port }: Shop) => [
  {
    path: '/v1/checks/api',
    check: {
      ...common,
      name: 'Shop: products',
      description: 'The list of products holds at least one product.',
      degradedResponseTime: 2000,
      maxResponseTime: 10_000,
      request: {
        url: `${url}/api/products`,
        assertions: [
          { source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' },
          { source: 'JSON_BODY', property: '$.products.length', comparison: 'GREATER_THAN', target: '0' },
        ],
      },
    },
  },
  {
    path: '/v1/checks/api',
    check: {
      ...common,
      name: 'Shop: front page',
      request: {
        url: `${url}/`,
        assertions: [{ source: 'TEXT_BODY', property: '', comparison: 'CONTAINS', target: 'Lookout supplies' }],
      },
    },
  },
  { path: '/v1/checks/tcp', check: { ...common, name: 'Shop: port', request: { hostname: '127.0.0.1', port } } },
]

/** Makes what the demo watches, and where its alerts go. */
export async function createDemoChecks(call: CallApi, shop: Shop): Promise<void> {
  await call('POST', '/v1/alert-channels', inbox(shop))
  for (const { path, check } of checks(shop)) await call('POST', path, check)
}

/** Points what an earlier start made, and nobody deleted since, to where the shop is now. */
export async function moveDemoChecks(call: CallApi, shop: Shop): Promise<void> {
  const channels = (await call('GET', '/v1/alert-channels?limit=100')) as Named[]
  const channel = channels.find(({ config }) => config?.name === inboxName)
  if (channel) await call('PUT', `/v1/alert-channels/${channel.id}`, inbox(shop))
  const made = (await call('GET', '/v1/checks?limit=100')) as Named[]
  for (const { path, check } of checks(shop)) {
    const found = made.find(({ name }) => name === check.name)
    if (found) await call('PUT', `${path}/${found.id}`, { request: check.request })
  }
}
