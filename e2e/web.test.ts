import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDemoShop, type DemoShop } from '../scripts/demo-shop.ts'
import { openWindow, pageErrors, startBrowser, tabTo } from './browser.ts'
import { removeDataDir, startProduct, until, type Product } from './product.ts'
import { startReceiver } from './receiver.ts'

// The stories share one product: each continues where the one before ended.
let product: Product
let shop: DemoShop
let receiver: Awaited<ReturnType<typeof startReceiver>>
let browser: Browser
let page: Page

const password = 'a long watch in the night'
const alertsOf = (type: string) => receiver.deliveries.filter((each) => each.body['ALERT_TYPE'] === type)
const verdict = () => page.getByRole('region', { name: 'Verdict' })
const shows = (text: string | RegExp, timeout = 30_000) =>
  page.getByRole('main').getByText(text).first().waitFor({ timeout })

beforeAll(async () => {
  browser = await startBrowser()
  shop = await startDemoShop({ shop: 0, panel: 0 })
  receiver = await startReceiver()
  product = await startProduct()
  page = await openWindow(browser, {})
})
afterAll(async () => {
  await browser.close()
  await product.stop()
  await shop.stop()
  await receiver.stop()
  await removeDataDir(product.dataDir)
})

test('the one-time link signs in and leads to an empty page that offers the first check', async () => {
  await page.goto(product.signInLink)
  await shows('Nothing is watched yet')
  expect(new URL(page.url()).pathname).toBe('/')
  const again = await openWindow(browser, {})
  await again.goto(product.signInLink)
  await again.getByText('was used already').waitFor()
  await again.context().close()
})

test('a webhook is added in the page and answers a test message', async () => {
  await page.getByRole('link', { name: 'Channels' }).click()
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByLabel('Name', { exact: true }).fill('On-call bot')
  await page.getByLabel('URL').fill('no address')
  await page.getByRole('button', { name: 'Save channel' }).click()
  await page
    .getByRole('alert')
    .getByText(/config\.url/)
    .waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('On-call bot')
  await page.getByLabel('URL').fill(receiver.url)
  await page.getByRole('button', { name: 'Save channel' }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await shows('The test was accepted: 200 noted.')
  expect(receiver.deliveries.splice(0)).toHaveLength(1)
})

test('by keyboard alone: what is missing is named, tried before it is saved, and watched', async () => {
  await page.goto(product.url)
  const press = async (name: string, role: 'button' | 'link' = 'button') => {
    await tabTo(page, page.getByRole(role, { name, exact: true }))
    await page.keyboard.press('Enter')
  }
  const type = async (label: string, text: string) => {
    await tabTo(page, page.getByLabel(label, { exact: true }))
    await page.keyboard.type(text)
  }
  await press('New API check', 'link')
  await type('URL', `${shop.url}/api/products`)
  await press('Create check')
  await page.getByRole('alert').getByText(/name/).waitFor()
  const name = page.getByLabel('Name', { exact: true })
  await until('the focus on the refused field', () => name.evaluate((field) => field === document.activeElement))
  expect(await name.getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByLabel('URL', { exact: true }).inputValue()).toBe(`${shop.url}/api/products`)

  await page.keyboard.type('Products')
  await press('Add assertion')
  await type('Source', 'Json body')
  await type('JSONPath', '$.products.length')
  await type('Comparison', 'Greater')
  await type('Target', '0')
  await type('How often', 'Every 10 s')
  await press('Run now')
  const dryRun = page.getByRole('region', { name: 'Dry run' })
  await dryRun.getByText('200 OK').waitFor()
  await dryRun.getByText('Actual 3').waitFor()
  await dryRun.getByText('First byte').waitFor()
  expect((await product.api<unknown[]>('GET', '/v1/checks')).body).toEqual([])

  await page.keyboard.press('Shift+Tab')
  await until('the way back to the buttons', async () => {
    if (await page.getByRole('button', { name: 'Create check' }).evaluate((each) => each === document.activeElement))
      return true
    await page.keyboard.press('Shift+Tab')
  })
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor()
  await verdict().getByText('Passing').waitFor({ timeout: 30_000 })
})

test('an outage appears by itself: cause, place, since when, last good and notifications', async () => {
  await page.evaluate(() => Object.assign(window, { stayed: true }))
  await shop.set('wrong')
  await verdict().getByText('Failing').waitFor({ timeout: 40_000 })
  const said = await verdict().textContent()
  expect(said).toMatch(/Expected JSON_BODY \$\.products\.length to be greater than 0, got 0\. At 1 of 1 location: /)
  expect(said).toMatch(/Since .*, for \d+ s\..*Last good \d+ sec\. ago.*Runs every 10 s/)
  await shows('Delivered')
  await shows(/failure\s+over webhook to On-call bot/)
  expect(await page.evaluate(() => 'stayed' in window)).toBe(true)
  await until('the title to tell', async () => (await page.title()).startsWith('Failing: Products'))
})

test('the chart has the same numbers as a table, and one press shows all times in UTC', async () => {
  await page.getByText('The same as a table').click()
  const table = page.getByRole('region', { name: 'Response times' })
  await table
    .getByRole('row', { name: /Failed/ })
    .first()
    .waitFor()
  const zone = page.getByRole('button', { name: 'UTC' })
  const since = () => verdict().getByText(/Since/).textContent()
  expect(await since()).toMatch(/GMT\+9|JST/)
  await zone.click()
  expect(await since()).toMatch(/UTC/)
  await page.reload()
  await verdict()
    .getByText(/Since .*UTC/)
    .waitFor()
  await zone.click()
})

test('a result reads from top to bottom: phases, request, response, expected and actual, attempts, notifications', async () => {
  await page
    .getByRole('list', { name: 'Results' })
    .getByRole('link', { name: /Failed/ })
    .last()
    .click()
  await page.getByRole('heading', { level: 1, name: 'Result' }).waitFor()
  const part = (name: string) => page.getByRole('region', { name }).textContent()
  await shows('Attempt 2: failed')
  expect(await part('Expected and actual')).toMatch(/Fails.*\$\.products\.length.*greater than.*0.*Actual 0/)
  expect(await part('Where the time went')).toMatch(/DNS.*TCP connection.*First byte.*ms.*Total/)
  expect(await part('Request')).toContain(`GET ${shop.url}/api/products`)
  expect(await part('Response')).toMatch(/200 OK.*"products": \[\]/s)
  expect(await part('Notifications')).toMatch(/Delivered.*On-call bot/)
  await page.goBack()
  await verdict().waitFor()
})

test('a password is set; the link of an alert then leads through sign-in to its result', async () => {
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  await page.getByLabel('Set a password').fill(password)
  await page.getByRole('button', { name: 'Save password' }).click()
  await shows('The password is set.')

  const link = String(alertsOf('ALERT_FAILURE')[0]?.body['RESULT_LINK'])
  const other = await openWindow(browser, { width: 390, theme: 'dark' })
  await other.goto(link)
  await other.getByLabel('E-mail').fill(await ownEmail())
  await other.getByLabel('Password').fill(password)
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.getByRole('heading', { level: 1, name: 'Result' }).waitFor()
  expect(other.url()).toBe(link)
  await other.getByText('Actual 0').waitFor()
  await other.context().close()
})

async function ownEmail(): Promise<string> {
  const profile = await page.evaluate(async () => (await fetch('/session')).json() as Promise<{ email: string }>)
  return profile.email
}

test('what was typed is not lost by a wrong click', async () => {
  await page.goto(`${product.url}/checks/new/tcp`)
  await page.getByLabel('Host').fill('db.example.org')
  page.once('dialog', (dialog) => void dialog.dismiss())
  await page.getByRole('link', { name: 'Alerts' }).click()
  expect(await page.getByLabel('Host').inputValue()).toBe('db.example.org')
  page.once('dialog', (dialog) => void dialog.accept())
  await page.getByRole('link', { name: 'Alerts' }).click()
  await page.getByRole('heading', { name: 'Notifications' }).waitFor()
})

test('the recovery appears by itself, and in the ledger', async () => {
  await page.goto(`${product.url}/`)
  await page.getByRole('heading', { name: '1 of 1 checks is failing' }).waitFor()
  await shop.set('ok')
  await page.getByRole('heading', { name: 'All is well: 1 of 1 checks pass' }).waitFor({ timeout: 40_000 })
  await until('the recovery', async () => alertsOf('ALERT_RECOVERY')[0])
  await page.getByRole('link', { name: 'Alerts' }).click()
  await shows(/recovery\s+of Products\s+over webhook to On-call bot/)
})

test('the list is searched, filtered and walked by keys, and every filter has an address', async () => {
  const more = { activated: false, request: { url: `${shop.url}/` } }
  await product.api('POST', '/v1/checks/api', { ...more, name: 'Front page', tags: ['pages'] })
  await page.goto(product.url)
  const rows = page.getByRole('list', { name: 'Checks' }).getByRole('link')
  await until('both rows', async () => (await rows.count()) === 2)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  expect(await rows.nth(1).evaluate((row) => row === document.activeElement)).toBe(true)
  await page.keyboard.press('/')
  await page.keyboard.type('front')
  await until('one row', async () => (await rows.count()) === 1)
  await page.goto(`${product.url}/?tag=pages&state=paused`)
  await rows.getByText('Front page').waitFor()
  await page.getByRole('button', { name: /paused/ }).click()
  await until('the address to follow', async () => !page.url().includes('state='))
})

test('what changes while the pointer is over the list moves no row', async () => {
  await page.goto(product.url)
  const rows = page.getByRole('list', { name: 'Checks' }).getByRole('link')
  await rows.first().hover()
  const names = () => rows.evaluateAll((all) => all.map((row) => row.getAttribute('href')))
  const before = await names()
  await product.api('POST', '/v1/checks/tcp', { name: 'A new one', request: { hostname: '127.0.0.1', port: 9 } })
  await page.getByRole('button', { name: /^1 new/ }).waitFor()
  expect(before).toHaveLength(2)
  expect(await names()).toEqual(before)
  await page.getByRole('button', { name: /^1 new/ }).click()
  await until('the third row', async () => (await rows.count()) === 3)
})

test('a secret variable is written, never shown again, and deleted only when asked twice', async () => {
  await page.getByRole('link', { name: 'Variables' }).click()
  await page.getByRole('heading', { level: 1, name: 'Variables' }).waitFor()
  await page.getByLabel('Name').fill('SHOP TOKEN')
  await page.getByLabel('Value', { exact: true }).fill('hunter2-and-more')
  await page.getByLabel('Secret').check()
  await page.getByRole('button', { name: 'Add variable' }).click()
  await page.getByRole('alert').getByText(/key/).waitFor()
  await page.getByLabel('Name').fill('SHOP_TOKEN')
  await page.getByRole('button', { name: 'Add variable' }).click()
  await page.getByRole('listitem').getByText('SHOP_TOKEN').waitFor()
  await page.reload()
  await page.getByRole('listitem').getByText('SHOP_TOKEN').waitFor()
  expect(await page.content()).not.toContain('hunter2')
  await page.getByRole('button', { name: 'Delete SHOP_TOKEN' }).click()
  await page.getByRole('button', { name: 'Yes, delete SHOP_TOKEN' }).click()
  await shows('There are none yet.')
})

test('a page that is cut off turns grey, says so, and comes back by itself', async () => {
  await page.goto(product.url)
  await page.getByRole('heading', { name: /is failing|All is well/ }).waitFor()
  await page.getByRole('link', { name: /Products/ }).click()
  await verdict().getByText('Passing', { exact: true }).waitFor()
  const colour = () =>
    verdict()
      .locator('span')
      .first()
      .evaluate((badge) => getComputedStyle(badge).color)
  const green = await colour()
  await product.kill()
  await page.getByRole('status').getByText('Cut off from the server').waitFor()
  await verdict().getByText('Was passing').waitFor()
  await verdict().getByText('this is the last known state, not the present one').waitFor()
  expect(await colour()).not.toBe(green)
  await page.getByRole('link', { name: 'Checks' }).click()
  await page.getByRole('heading', { name: /^Last known: / }).waitFor()
  await page
    .getByRole('link', { name: /Products/ })
    .getByText('Was passing')
    .waitFor()

  product = await startProduct({ dataDir: product.dataDir, env: { VEDETTE_PORT: new URL(product.url).port } })
  await page.getByRole('status').getByText('Live').waitFor({ timeout: 30_000 })
  await page
    .getByRole('link', { name: /Products/ })
    .getByText('Passing', { exact: true })
    .waitFor({ timeout: 30_000 })
})

test('signing out ends the session at the server; guessing the password is slowed down', async () => {
  const email = await ownEmail()
  const session = await page.context().storageState()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Vedette' }).waitFor()
  const thief = await openWindow(browser, { session })
  await thief.goto(product.url)
  await thief.getByRole('heading', { name: 'Sign in to Vedette' }).waitFor()
  await thief.context().close()

  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill('a wrong one')
  const trySignIn = async () => {
    const answer = page.waitForResponse(
      (response) => response.url().endsWith('/session') && response.request().method() === 'POST',
    )
    await page.getByRole('button', { name: 'Sign in' }).click()
    return (await answer).status()
  }
  const statuses: number[] = []
  for (let n = 0; n < 6; n++) statuses.push(await trySignIn())
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  await page.getByRole('alert').getByText('Too many failed tries').waitFor()
  expect(pageErrors).toEqual([])
})
