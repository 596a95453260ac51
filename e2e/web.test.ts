import type { Browser, Page } from '@playwright/test'
import type { Overview } from '@vedette/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDemoShop, type DemoShop } from '../scripts/demo-shop.ts'
import { openWindow, pageErrors, startBrowser, tabTo, undo } from './browser.ts'
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
  await page.getByRole('alert').getByText(/Name/).waitFor()
  const name = page.getByLabel('Name', { exact: true })
  await until('the focus on the refused field', () => name.evaluate((field) => field === document.activeElement))
  expect(await name.getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByLabel('URL', { exact: true }).inputValue()).toBe(`${shop.url}/api/products`)

  await page.keyboard.type('Products')
  await press('Add assertion')
  const second = page.getByRole('group', { name: 'Assertion 2' })
  const fillIn = async (label: string, text: string) => {
    await tabTo(page, second.getByLabel(label, { exact: true }))
    await page.keyboard.type(text)
  }
  await fillIn('Source', 'Json body')
  await fillIn('JSONPath', '$.products.length')
  await fillIn('Comparison', 'Greater')
  await fillIn('Target', '0')
  await type('How often', 'Every 10 s')
  await press('Try it')
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
  expect(said).toMatch(/Expected JSON body \$\.products\.length to be greater than 0, got 0\. At 1 of 1 location: /)
  expect(said).toMatch(/Since .*, for \d+ s\..*Last good \d+ s ago/)
  await page.getByRole('region', { name: 'About this check' }).getByText('Every 10 s').waitFor()
  await shows('Delivered')
  await shows(/Failure\s+by webhook to On-call bot/)
  expect(await page.evaluate(() => 'stayed' in window)).toBe(true)
  await until('the title to tell', async () => (await page.title()).startsWith('(1 failing) Failing: Products'))
})

test('the history has its numbers as a table and its range in the address; times are in UTC when asked', async () => {
  await page.getByText('Show as a table').click()
  const table = page.getByRole('region', { name: 'Response times' })
  await table.getByRole('row').nth(1).waitFor()
  await page
    .getByRole('list', { name: 'Episodes' })
    .getByText(/notified On-call bot/)
    .waitFor()
  await page.getByRole('button', { name: '1 h', exact: true }).click()
  await until('the range in the address', () => Promise.resolve(page.url().endsWith('?range=1h')))
  const since = () => verdict().getByText(/Since/).textContent()
  const choose = async (zone: string) => {
    await page.getByRole('button', { name: 'Account and appearance' }).click()
    await page.getByRole('menuitemradio', { name: zone }).click()
    await page.keyboard.press('Escape')
  }
  expect(await since()).toMatch(/GMT\+9|JST/)
  await choose('UTC')
  expect(await since()).toMatch(/UTC/)
  await page.reload()
  await verdict()
    .getByText(/Since .*UTC/)
    .waitFor()
  await choose('Zone of this device')
})

test('whoever is on it is shown, and reminders rest; muting for an hour can be taken back', async () => {
  await page.getByRole('button', { name: 'I’m on it' }).click()
  await verdict()
    .getByText(/is on it/)
    .waitFor()
  await page.getByRole('button', { name: 'Let go' }).click()
  await verdict()
    .getByText(/is on it/)
    .waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Mute', exact: true }).click()
  await page.getByRole('menuitem', { name: 'For 1 hour' }).click()
  await verdict()
    .getByText(/muted until/)
    .waitFor()
  await undo(page, 'Muted Products for 1 hour.')
  await verdict()
    .getByText(/muted until/)
    .waitFor({ state: 'hidden' })
})

test('unmuting can be taken back: the check is muted again, until the same moment', async () => {
  const until = new Date(Date.now() + 5 * 3_600_000).toISOString()
  const id = new URL(page.url()).pathname.split('/')[2]
  const end = async () => {
    const { body } = await product.api<Overview>('GET', `/v1/overview?checkId=${id}`)
    return body.items[0]?.mutedUntil
  }
  await product.api('PUT', `/v1/checks/${id}/mute`, { until })
  await page.getByRole('button', { name: 'Unmute' }).click()
  await page.getByText('Unmuted Products.').waitFor()
  expect(await end()).toBe(null)
  await undo(page, 'Unmuted Products.')
  await verdict()
    .getByText(/muted until/)
    .waitFor()
  expect(await end()).toBe(until)
  await page.getByRole('button', { name: 'Unmute' }).click()
  await page.getByRole('button', { name: 'Mute', exact: true }).waitFor()
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
  expect(await part('Response')).toMatch(/200 OK.*products: \[\]/s)
  await page
    .getByRole('region', { name: 'Compared with the last good run' })
    .getByText(/That run was at/)
    .waitFor()
  await page
    .getByRole('region', { name: 'What differs from the last good run' })
    .getByText(/Body, line/)
    .waitFor()
  expect(await part('Notifications')).toMatch(/Delivered.*On-call bot/)
  await page.goBack()
  await verdict().waitFor()
})

test('a password is set; the link of an alert then leads through sign-in to its result', async () => {
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  await page.getByLabel('Set a password').fill(password)
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByText('The password is set.').waitFor()

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

test('the recovery appears by itself, and in the ledger', async () => {
  await page.goto(`${product.url}/`)
  await page.getByRole('heading', { name: '1 of 1 checks is failing' }).waitFor()
  await shop.set('ok')
  await page.getByRole('heading', { name: 'All is well: the check passes' }).waitFor({ timeout: 40_000 })
  await until('the recovery', async () => alertsOf('ALERT_RECOVERY')[0])
  await page.getByRole('link', { name: 'Alerts' }).click()
  const alerts = page.getByRole('list', { name: 'Alerts' }).getByRole('listitem').filter({ hasText: 'Products' })
  await alerts
    .getByText(/Recovery\s+by webhook to On-call bot/)
    .first()
    .waitFor()
  await alerts
    .getByText(/Failure\s+by webhook to On-call bot/)
    .first()
    .waitFor()
})

test('signing out ends the session at the server; guessing the password is slowed down', async () => {
  const email = await ownEmail()
  const session = await page.context().storageState()
  await page.getByRole('button', { name: 'Account and appearance' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
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
