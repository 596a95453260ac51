import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestAuthority } from '../packages/checks/test-support/certificates.ts'
import { startDemoShop, type DemoShop } from '../scripts/demo-shop.ts'
import {
  expectAccessible,
  expectFitForThumbs,
  looks,
  openWindow,
  signIn,
  startBrowser,
  takePicture,
  type Session,
} from './browser.ts'
import { startGallery, type Gallery } from '../packages/web/test-support/start-gallery.ts'
import { removeDataDir, startProduct, until, type Product } from './product.ts'
import { startReceiver } from './receiver.ts'

let product: Product
let shop: DemoShop
let receiver: Awaited<ReturnType<typeof startReceiver>>
let browser: Browser
let session: Session
let failing: { id: string; result: string }
let port: { id: string; result: string }
let ping: { id: string; result: string }
let heartbeat: { id: string; result: string }
let gallery: Gallery
let warehouse: string

const shopRequest = (path: string) => ({
  url: `${shop.url}${path}`,
  assertions: [
    { source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' },
    { source: 'JSON_BODY', property: '$.products.length', comparison: 'GREATER_THAN', target: '0' },
  ],
})

async function created(path: string, body: object): Promise<string> {
  const answer = await product.api<{ id: string }>('POST', path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.id
}

interface Status {
  state: string
}
interface Results {
  entries: { id: string; hasFailures: boolean }[]
}

async function resultOf(check: string, state: string): Promise<{ id: string; result: string }> {
  await until(
    `${check} to be ${state}`,
    async () => (await product.api<Status>('GET', `/v1/check-statuses/${check}`)).body.state === state,
  )
  const { body } = await product.api<Results>('GET', `/v2/check-results/${check}?hasFailures=${state === 'failing'}`)
  return { id: check, result: body.entries[0]?.id ?? '' }
}

/** Long names and addresses, many tags, three failing checks, one slow, one paused, one with a closed port. */
async function fillProduct() {
  const often = { frequency: 0, frequencyOffset: 10, locations: ['eu-west-1', 'us-east-1'] }
  const tags = ['shop', 'checkout', 'payments', 'europe', 'critical', 'team-lookout', 'a-tag-of-quite-some-length-here']
  const longName = 'The list of products as the mobile applications of all our resellers in Northern Europe read it'
  const products = await created('/v1/checks/api', {
    ...often,
    name: longName,
    tags,
    request: shopRequest(
      '/api/products?reseller=a-very-long-name-without-any-space-in-it&region=northern-europe&page=1',
    ),
  })
  const dead = await created('/v1/checks/tcp', {
    ...often,
    name: 'Shop: port',
    tags,
    doubleCheck: false,
    request: { hostname: '127.0.0.1', port: shop.port },
  })
  await created('/v1/checks/api', {
    ...often,
    name: 'Shop: missing page',
    doubleCheck: false,
    request: { url: `${shop.url}/nothing-here` },
  })
  await created('/v1/checks/api', {
    ...often,
    name: 'Shop: slow',
    degradedResponseTime: 0,
    request: { url: `${shop.url}/` },
  })
  await created('/v1/checks/api', {
    ...often,
    name: 'Shop: switched off',
    activated: false,
    request: { url: `${shop.url}/` },
  })
  for (let n = 1; n <= 25; n++)
    await created('/v1/checks/api', {
      ...often,
      frequency: 1,
      name: `Branch ${n}: front page`,
      tags: [`branch-${n}`],
      request: { url: `${shop.url}/` },
    })
  warehouse = await created('/v1/private-locations', {
    name: 'The warehouse of our largest reseller in Northern Europe',
    slugName: 'warehouse-northern-europe-1',
    icon: 'warehouse',
    proxyUrl: 'http://ann:hush-hush@proxy.warehouse.example:3128',
  })
  return { products, dead }
}

beforeAll(async () => {
  browser = await startBrowser()
  gallery = await startGallery()
  shop = await startDemoShop({ shop: 0, panel: 0 })
  receiver = await startReceiver()
  product = await startProduct()
  session = await signIn(browser, product)
  await created('/v1/alert-channels', {
    type: 'WEBHOOK',
    autoSubscribe: true,
    config: { name: 'On-call bot', url: receiver.url },
  })
  await created('/v1/alert-channels', {
    type: 'EMAIL',
    config: { address: 'the-people-who-are-on-call@operations.example.org' },
  })
  for (const [key, secret] of [
    ['SHOP_TOKEN', true],
    ['SHOP_URL', false],
  ] as const)
    await product.api('POST', '/v1/variables', {
      key,
      value: 'https://a-long-value.example.org/which/goes/on/and/on/for/a/while',
      secret,
    })
  await created('/v2/check-groups', {
    name: 'A group of checks whose name goes on for quite a while',
    tags: ['team'],
    apiCheckDefaults: { url: 'https://shop.example.org', headers: [{ key: 'X-Team', value: 'web' }] },
    environmentVariables: [{ key: 'TOKEN', value: 'hush', secret: true }],
  })
  const { products, dead } = await fillProduct()
  const { body: snippet } = await product.api<{ id: number }>('POST', '/v1/snippets', {
    name: 'sign-in',
    script: "request.headers['x-run'] = 'synthetic'",
  })
  await created('/v1/checks/api', { name: 'Shop: with sign-in', request: shopRequest('/'), setupSnippetId: snippet.id })
  const authority = createTestAuthority()
  await created('/v1/client-certificates', { host: '*.a-long-name-of-a-host.example.org', ...authority.leaf() })
  authority.remove()
  await resultOf(products, 'passing')
  await shop.set('wrong')
  failing = await resultOf(products, 'failing')
  port = await resultOf(dead, 'passing')
  ping = await resultOf(
    await created('/v1/checks/icmp', { name: 'Shop: host', request: { hostname: '127.0.0.1' } }),
    'passing',
  )
  heartbeat = await resultOf(await pinged(), 'passing')
}, 120_000)

afterAll(async () => {
  await browser.close()
  await gallery.stop()
  await product.stop()
  await shop.stop()
  await receiver.stop()
  await removeDataDir(product.dataDir)
})

/** A heartbeat check to which a job has sent a ping. */
async function pinged(): Promise<string> {
  const body = { name: 'Nightly backup', heartbeat: { period: 1, periodUnit: 'days', grace: 30, graceUnit: 'minutes' } }
  const made = await product.api<{ id: string; heartbeat: { pingUrl: string } }>('POST', '/v1/checks/heartbeat', body)
  const job = `backup/2.1 (${'on a host with a long name, '.repeat(6)})`
  const answer = await fetch(made.body.heartbeat.pingUrl, { method: 'POST', headers: { 'user-agent': job } })
  expect(answer.status).toBe(200)
  return made.body.id
}

interface View {
  name: string
  path: () => string
  ready: (page: Page) => Promise<void>
}

const heading = (text: RegExp | string) => (page: Page) => page.getByRole('heading', { level: 1, name: text }).waitFor()

const views: readonly View[] = [
  { name: 'checks', path: () => '/', ready: heading(/failing/) },
  {
    name: 'check',
    path: () => `/checks/${failing.id}`,
    ready: (page) => page.getByText('Delivered').first().waitFor(),
  },
  {
    name: 'more-actions',
    path: () => `/checks/${failing.id}`,
    ready: async (page) => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
    },
  },
  {
    name: 'range-dialog',
    path: () => `/checks/${failing.id}`,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Custom' }).click()
      await page.getByRole('dialog', { name: 'Range' }).waitFor()
    },
  },
  {
    name: 'health',
    path: () => '/',
    ready: async (page) => {
      await page.getByTitle('Health of Vedette').click()
      await page.getByRole('dialog', { name: 'Health of Vedette' }).getByText('Disk free').waitFor()
    },
  },
  {
    name: 'palette',
    path: () => '/',
    ready: async (page) => {
      await heading(/failing/)(page)
      await page.keyboard.press('Control+k')
      await page.getByRole('option', { name: 'Shop: missing page' }).waitFor()
    },
  },
  {
    name: 'keys',
    path: () => '/',
    ready: async (page) => {
      await heading(/failing/)(page)
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    },
  },
  {
    name: 'result',
    path: () => `/checks/${failing.id}/results/${failing.result}`,
    ready: (page) => page.getByText('Attempts of this run').waitFor(),
  },
  { name: 'tcp-result', path: () => `/checks/${port.id}/results/${port.result}`, ready: heading('Result') },
  { name: 'icmp-result', path: () => `/checks/${ping.id}/results/${ping.result}`, ready: heading('Result') },
  {
    name: 'heartbeat',
    path: () => `/checks/${heartbeat.id}`,
    ready: (page) => page.getByText('On time').waitFor(),
  },
  {
    name: 'heartbeat-result',
    path: () => `/checks/${heartbeat.id}/results/${heartbeat.result}`,
    ready: heading('Result'),
  },
  { name: 'new-heartbeat', path: () => '/checks/new/heartbeat', ready: heading('New Heartbeat check') },
  { name: 'new-check', path: () => '/checks/new/api', ready: heading('New API check') },
  { name: 'new-dns-check', path: () => '/checks/new/dns', ready: heading('New DNS check') },
  { name: 'new-icmp-check', path: () => '/checks/new/icmp', ready: heading('New ICMP check') },
  {
    name: 'new-browser-check',
    path: () => '/checks/new/browser',
    async ready(page) {
      await heading('New Browser check')(page)
      await page.getByRole('button', { name: 'Add variable' }).click()
    },
  },
  { name: 'new-playwright-check', path: () => '/checks/new/playwright', ready: heading('New Playwright check') },
  { name: 'edit-check', path: () => `/checks/${failing.id}/edit`, ready: heading(/^Edit/) },
  {
    name: 'alerts',
    path: () => '/alerts',
    ready: (page) => page.getByText('Delivered', { exact: true }).first().waitFor(),
  },
  {
    name: 'channels',
    path: () => '/channels',
    ready: (page) => page.getByRole('button', { name: 'Send a test' }).first().waitFor(),
  },
  { name: 'groups', path: () => '/groups', ready: (page) => page.getByText('A group of checks').waitFor() },
  { name: 'new-group', path: () => '/groups/new', ready: heading('New group') },
  { name: 'variables', path: () => '/variables', ready: (page) => page.getByText('SHOP_TOKEN').waitFor() },
  {
    name: 'snippets',
    path: () => '/snippets',
    ready: (page) => page.getByRole('button', { name: 'Edit sign-in' }).waitFor(),
  },
  { name: 'certificates', path: () => '/certificates', ready: (page) => page.getByText('CN=leaf.test').waitFor() },
  { name: 'locations', path: () => '/locations', ready: (page) => page.getByText('Built-in agent').first().waitFor() },
  {
    name: 'private-location',
    path: () => `/locations/${warehouse}`,
    ready: (page) => page.getByText(/figures come within|No run had to wait/).waitFor(),
  },
  {
    name: 'new-private-location',
    path: () => '/locations',
    ready: async (page) => {
      await page.getByRole('button', { name: 'New private location' }).click()
      await page.getByRole('button', { name: 'Add location' }).waitFor()
    },
  },
  { name: 'settings', path: () => '/settings', ready: heading('Settings') },
  {
    name: 'members',
    path: () => '/settings/members',
    ready: (page) =>
      page
        .getByRole('list', { name: /members/i })
        .getByRole('listitem')
        .first()
        .waitFor(),
  },
  { name: 'api-keys', path: () => '/settings/keys', ready: (page) => page.getByText('First key').waitFor() },
  { name: 'accounts', path: () => '/settings/accounts', ready: (page) => page.getByText('operates Vedette').waitFor() },
  {
    name: 'audit-log',
    path: () => '/settings/audit-log',
    ready: (page) => page.getByText('created').first().waitFor(),
  },
  { name: 'join', path: () => '/join?token=nothing', ready: heading('This invitation is over') },
  {
    name: 'grouped',
    path: () => '/?group=tag&sort=name',
    ready: (page) => page.getByRole('button', { name: /^a-tag-of-quite/ }).waitFor(),
  },
  {
    name: 'reference',
    path: () => '/docs',
    ready: heading('Vedette management API'),
  },
  {
    name: 'reference-operation',
    path: () => '/docs#updateApiCheck',
    ready: heading('Change a check of type API'),
  },
  { name: 'nothing', path: () => '/nowhere', ready: heading(/nothing/) },
]

describe.each(looks)('at $width px in the $theme theme', (look) => {
  test('every page is accessible and fits', async () => {
    const page = await openWindow(browser, { ...look, session })
    for (const view of views) {
      const where = `${view.name}-${look.width}-${look.theme}`
      await page.goto(`${product.url}${view.path()}`)
      await view.ready(page)
      await takePicture(page, where)
      await expectAccessible(page, where)
      if (look.width === 390) await expectFitForThumbs(page, where)
    }
    await page.context().close()
  })

  test('every component is accessible in all its states', async () => {
    const page = await openWindow(browser, look)
    await page.goto(gallery.url)
    await heading('Components')(page)
    await takePicture(page, `components-${look.width}-${look.theme}`)
    await expectAccessible(page, 'components')
    await page.context().close()
  })

  test('the sign-in page is accessible and fits', async () => {
    const page = await openWindow(browser, look)
    await page.goto(product.url)
    await heading(/Sign in/)(page)
    const where = `sign-in-${look.width}-${look.theme}`
    await takePicture(page, where)
    await expectAccessible(page, where)
    if (look.width === 390) await expectFitForThumbs(page, where)
    await page.context().close()
  })
})
