import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWindow, signIn, startBrowser, undo } from './browser.ts'
import { removeDataDir, startProduct, until, type Product } from './product.ts'
import { startReceiver } from './receiver.ts'
import { startTarget, type WatchedTarget } from './target.ts'

// Groups of checks, from the form to the request of a run. The stories share one product.
let product: Product
let target: WatchedTarget
let receiver: Awaited<ReturnType<typeof startReceiver>>
let browser: Browser
let page: Page
let health: 'up' | 'broken' = 'up'

beforeAll(async () => {
  browser = await startBrowser()
  target = await startTarget(() => health)
  receiver = await startReceiver()
  product = await startProduct()
  page = await openWindow(browser, { session: await signIn(browser, product) })
})
afterAll(async () => {
  await browser.close()
  await product.stop()
  await receiver.stop()
  await target.stop()
  await removeDataDir(product.dataDir)
})

const save = () => page.getByRole('button', { name: 'Create group' }).click()

test('a group is made in the form, and its checks run and alert as it says', async () => {
  await product.create('/v1/alert-channels', { type: 'WEBHOOK', config: { name: 'Shop bot', url: receiver.url } })
  await page.goto(`${product.url}/groups`)
  await page.getByText('There is no group yet').waitFor()
  await page.getByRole('link', { name: 'Add group' }).click()
  await save()
  await page.getByRole('alert').getByText('"name" must not be empty').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Shop')
  await page.getByLabel('Base URL').fill(target.url)
  await page.getByRole('button', { name: 'Add header' }).click()
  await page.getByLabel('Headers: name 1').fill('X-Team')
  await page.getByLabel('Headers: value 1').fill('{{TEAM}}')
  await page.getByRole('button', { name: 'Add variable' }).click()
  await page.getByLabel('Variable 1: name').fill('TEAM')
  await page.getByLabel('Variable 1: value').fill('lookout')
  await page.getByLabel('Alert settings').selectOption('Those of this group')
  await page.getByRole('group', { name: 'Notify these channels too' }).getByLabel('Shop bot').check()
  await save()
  await page.getByRole('list', { name: 'Groups' }).getByText('No checks').waitFor()
  const { body } = await product.api<{ id: number }[]>('GET', '/v1/check-groups')
  health = 'broken'
  await product.create('/v1/checks/api?autoAssignAlerts=false', {
    name: 'Front page',
    groupId: body[0]?.id,
    doubleCheck: false,
    request: { url: '{{GROUP_BASE_URL}}' },
  })
  const delivery = await until('the alert', () => Promise.resolve(receiver.deliveries[0]))
  expect(delivery.body).toMatchObject({ CHECK_NAME: 'Front page', GROUP_NAME: 'Shop' })
  health = 'up'
})

test('checks are moved to a group together, listed by group, and moved back', async () => {
  const other = { locations: ['us-east-1'], request: { url: target.url } }
  await product.create('/v1/checks/api', { name: 'Cart', ...other })
  await product.create('/v1/checks/api', { name: 'Office', ...other })
  await page.goto(`${product.url}/?group=group`)
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  await page.getByRole('button', { name: /^In no group/ }).waitFor()
  await page.getByRole('button', { name: /^Shop/ }).waitFor()
  await row('Cart').getByRole('checkbox').check()
  await page.getByRole('toolbar', { name: 'Chosen checks' }).getByRole('button', { name: 'Move' }).click()
  await page.getByRole('menuitem', { name: 'Shop' }).click()
  const inShop = async () =>
    (await product.api<{ name: string }[]>('GET', '/v1/check-groups/1/checks')).body.map(({ name }) => name).toSorted()
  await until('the move', async () => ((await inShop()).includes('Cart') ? true : undefined))
  expect(await inShop()).toEqual(['Cart', 'Front page'])
  await undo(page, 'Moved to Shop: 1 check.')
  await until('the way back', async () => ((await inShop()).includes('Cart') ? undefined : true))
  await page.goto(`${product.url}/groups`)
  await page.getByRole('link', { name: 'Shop', exact: true }).click()
  await row('Front page').waitFor()
  expect(await row('Office').count()).toBe(0)
  await row('Front page').getByRole('link').first().click()
  await page.getByRole('region', { name: 'About this check' }).getByRole('link', { name: 'Shop' }).waitFor()
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByText('The group decides: its alert settings.').waitFor()
})
