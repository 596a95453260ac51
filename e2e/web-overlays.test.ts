import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
import { removeDataDir, startProduct, until, type Product } from './product.ts'

// What opens over a page or within it: menus, dialogs, messages, and what a page shows after an action.
let product: Product
let shop: DemoShop
let browser: Browser
let session: Session
let check: string
let result: string

interface Overlay {
  name: string
  path: () => string
  /** Brings it onto the page and waits until it is there. */
  open: (page: Page) => Promise<void>
  /** Where it exists at one width only. */
  width?: 1440 | 390
}

async function created(path: string, body: object): Promise<string> {
  const answer = await product.api<{ id: string }>('POST', path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.id
}

beforeAll(async () => {
  browser = await startBrowser()
  shop = await startDemoShop({ shop: 0, panel: 0 })
  product = await startProduct()
  session = await signIn(browser, product)
  const request = { url: `${shop.url}/api/products` }
  const tags = ['shop', 'a-tag-of-quite-some-length-here']
  await created('/v1/alert-channels', { type: 'EMAIL', config: { address: 'on-call@operations.example.org' } })
  await product.api('POST', '/v1/variables', { key: 'SHOP_URL', value: 'https://shop.example.org' })
  check = await created('/v1/checks/api', { name: 'Products', frequency: 1440, tags, request })
  await created('/v1/checks/api', { name: 'Front page', frequency: 1440, tags, activated: false, request })
  result = await until(
    'a result',
    async () => {
      const { body } = await product.api<{ entries: { id: string }[] }>('GET', `/v2/check-results/${check}`)
      return body.entries[0]?.id
    },
    60_000,
    2100,
  )
}, 120_000)

afterAll(async () => {
  await browser.close()
  await product.stop()
  await shop.stop()
  await removeDataDir(product.dataDir)
})

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click()
const menuHas = (page: Page, name: string | RegExp) => page.getByRole('menuitem', { name }).first().waitFor()
const ofCheck = () => `/checks/${check}`
const newCheck = () => '/checks/new/api'

async function choose(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Products' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByRole('toolbar', { name: 'Chosen checks' }).waitFor()
}

const overlays: readonly Overlay[] = [
  {
    name: 'account-menu',
    path: () => '/',
    open: async (page) => {
      await press(page, 'Account and appearance')
      await menuHas(page, 'Sign out')
    },
  },
  {
    name: 'more-pages',
    path: () => '/',
    width: 390,
    open: async (page) => {
      await press(page, 'More')
      await menuHas(page, 'API reference')
    },
  },
  {
    name: 'tag-filter',
    path: () => '/',
    open: async (page) => {
      await page.getByLabel('Tags', { exact: true }).click()
      await page.getByRole('combobox', { name: 'Find tags' }).fill('a')
      await page.getByRole('option', { name: 'a-tag-of-quite-some-length-here' }).waitFor()
    },
  },
  { name: 'chosen-checks', path: () => '/', open: choose },
  {
    name: 'chosen-checks-mute',
    path: () => '/',
    open: async (page) => {
      await choose(page)
      await press(page, 'Mute')
      await menuHas(page, 'For 1 hour')
    },
  },
  {
    name: 'chosen-checks-subscribe',
    path: () => '/',
    open: async (page) => {
      await choose(page)
      await press(page, 'Subscribe')
      await menuHas(page, /on-call@/)
    },
  },
  {
    name: 'chosen-checks-tag',
    path: () => '/',
    open: async (page) => {
      await choose(page)
      await press(page, 'Tag')
      await page.getByRole('dialog', { name: 'Add tags' }).waitFor()
    },
  },
  {
    name: 'mute-menu',
    path: ofCheck,
    open: async (page) => {
      await press(page, 'Mute')
      await menuHas(page, 'For 1 hour')
    },
  },
  {
    name: 'message',
    path: ofCheck,
    open: async (page) => {
      await press(page, 'Run now')
      await page.getByText('A run was started').first().waitFor()
    },
  },
  {
    name: 'chart-table',
    path: ofCheck,
    open: async (page) => {
      await page.getByText('Show as a table').click()
      await page.getByRole('region', { name: 'Response times' }).waitFor()
    },
  },
  {
    name: 'chart-tip',
    path: ofCheck,
    width: 1440,
    open: async (page) => {
      const box = await page.getByRole('img', { name: /^Response time of/ }).boundingBox()
      if (!box) throw new Error('The chart is not shown')
      await page.mouse.move(box.x + 90, box.y + 60)
      await page.mouse.move(box.x + box.width - 30, box.y + 60, { steps: 20 })
      await page.locator('p').filter({ hasText: /ms$/ }).first().waitFor()
    },
  },
  {
    name: 'copy-menu',
    path: () => `${ofCheck()}/results/${result}`,
    open: async (page) => {
      await press(page, 'Copy')
      await menuHas(page, 'Copy as cURL')
    },
  },
  {
    name: 'body-search',
    path: () => `${ofCheck()}/results/${result}`,
    open: async (page) => {
      await page.getByLabel('Search the body').fill('Lantern')
      await page.getByRole('region', { name: 'Body' }).getByText('Lantern').waitFor()
    },
  },
  {
    name: 'form-with-faults',
    path: newCheck,
    open: async (page) => {
      await press(page, 'Try it')
      await page.getByText('2 fields need a correction').waitFor()
    },
  },
  {
    name: 'form-tabs',
    path: newCheck,
    open: async (page) => {
      await page.getByRole('tab', { name: 'Headers' }).click()
      await press(page, 'Add header')
      // The draft may be what the next view begins with.
      await page.getByLabel('name 1', { exact: false }).fill('x-team')
      await page.getByRole('tab', { name: 'Auth' }).click()
    },
  },
  {
    name: 'dry-run',
    path: newCheck,
    open: async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('Products')
      await page.getByLabel('URL', { exact: true }).fill(`${shop.url}/api/products`)
      await press(page, 'Try it')
      await page.getByRole('region', { name: 'Dry run' }).getByText('200 OK').waitFor()
    },
  },
  {
    name: 'add-channel-menu',
    path: () => '/channels',
    open: async (page) => {
      await press(page, 'Add channel')
      await menuHas(page, 'Add webhook')
    },
  },
  {
    name: 'webhook-form',
    path: () => '/channels',
    open: async (page) => {
      await press(page, 'Add channel')
      await page.getByRole('menuitem', { name: 'Add webhook' }).click()
      await page.getByRole('button', { name: 'Save channel' }).waitFor()
    },
  },
  {
    name: 'edit-variable',
    path: () => '/variables',
    open: async (page) => {
      await press(page, 'Edit SHOP_URL')
      await page.getByRole('dialog', { name: 'Edit SHOP_URL' }).waitFor()
    },
  },
  {
    name: 'undo',
    path: () => '/variables',
    open: async (page) => {
      await press(page, 'Delete SHOP_URL')
      await page.getByText('Deleted SHOP_URL.').waitFor()
    },
  },
  {
    name: 'api-key-made',
    path: () => '/settings/keys',
    open: async (page) => {
      await page.getByLabel('Name of the new key').fill('Deploy')
      await press(page, 'Make key')
      await page.getByText('Copy it now').waitFor()
    },
  },
  {
    name: 'slim-side-bar',
    path: () => '/',
    width: 1440,
    open: async (page) => {
      await press(page, 'Slim side bar')
      await page.getByRole('button', { name: 'Widen the side bar' }).waitFor()
    },
  },
  {
    name: 'session-ended',
    path: () => '/variables',
    open: async (page) => {
      await page.getByRole('heading', { level: 1, name: 'Variables' }).waitFor()
      await page.context().clearCookies()
      await page.getByLabel('Name').fill('LATE')
      await press(page, 'Add variable')
      await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
    },
  },
]

describe.each(looks)('at $width px in the $theme theme', (look) => {
  test('what opens over a page is accessible and fits', async () => {
    const page = await openWindow(browser, { ...look, session })
    for (const { name, path, open, width = look.width } of overlays) {
      if (width !== look.width) continue
      const where = `${name}-${look.width}-${look.theme}`
      await page.goto(`${product.url}${path()}`)
      await page.evaluate(() => sessionStorage.clear())
      await open(page)
      await takePicture(page, where, false)
      // Of a control that lies half under a popup, that rule measures the other half. On phones all are measured whole.
      await expectAccessible(page, where, look.width === 390 ? ['target-size'] : [])
      if (look.width === 390) await expectFitForThumbs(page, where)
      if (name === 'undo') await press(page, 'Undo')
    }
    await page.context().close()
  })
})
