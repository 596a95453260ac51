import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  expectAccessible,
  expectFitForThumbs,
  looks,
  openWindow,
  pageErrors,
  signIn,
  startBrowser,
  takePicture,
} from './browser.ts'
import type { Session } from './browser.ts'
import { createTestAuthority } from '../packages/checks/test-support/certificates.ts'
import { removeDataDir, startProduct, until, type Product } from './product.ts'
import { startReceiver } from './receiver.ts'
import { startTarget } from './target.ts'

let product: Product
let receiver: Awaited<ReturnType<typeof startReceiver>>
let browser: Browser
let session: Session
let page: Page

beforeAll(async () => {
  browser = await startBrowser()
  receiver = await startReceiver()
  product = await startProduct()
  session = await signIn(browser, product)
  page = await openWindow(browser, { session })
})
afterAll(async () => {
  await browser.close()
  await product.stop()
  await receiver.stop()
  await removeDataDir(product.dataDir)
  expect(pageErrors).toEqual([])
})

/** Brings a page into a state in every look, and expects it to be accessible there. */
async function expectAccessibleInEveryLook(where: string, path: string, ready: (page: Page) => Promise<void>) {
  for (const look of looks) {
    const other = await openWindow(browser, { ...look, session })
    await other.goto(`${product.url}${path}`)
    await ready(other)
    const name = `${where}-${look.width}-${look.theme}`
    await takePicture(other, name)
    await expectAccessible(other, name)
    if (look.width === 390) await expectFitForThumbs(other, name)
    await other.context().close()
  }
}

const shown = (of: Page, title: string) =>
  of.getByRole('region', { name: 'Preview' }).getByRole('region', { name: title }).locator('pre')

test('a template shows what it would send while it is written, and names what is wrong', async () => {
  await product.api('POST', '/v1/variables', { key: 'TEAM', value: 'lookout' })
  await page.goto(`${product.url}/channels`)
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByLabel('URL').fill(receiver.url)
  await shown(page, 'Body')
    .getByText(/"ALERT_TITLE": "Check \\"Shop: products\\" has failed"/)
    .waitFor()
  const template = page.getByLabel('Body template')
  await template.fill('{"text": "{{ALERT_TITEL}}"')
  const wrong = page.getByRole('list', { name: 'What is wrong' })
  await wrong
    .getByText(
      'Body template uses {{ALERT_TITEL}}, which is no variable and stays empty; did you mean {{ALERT_TITLE}}?',
    )
    .waitFor()
  await wrong.getByText(/Body template does not render to JSON/).waitFor()
  await template.fill('{"text": ""}')
  await wrong.getByRole('listitem').first().waitFor({ state: 'detached' })
})

test('a variable is found by what it means and stands where the cursor was', async () => {
  const template = page.getByLabel('Body template')
  await template.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(10, 10))
  await page.getByRole('button', { name: 'Insert a variable' }).click()
  await page.getByRole('combobox', { name: 'Insert a variable' }).fill('in one line')
  await page.getByRole('option', { name: /ALERT_TITLE/ }).waitFor()
  await page.keyboard.press('Enter')
  await until('the focus behind the variable', () =>
    template.evaluate((area: HTMLTextAreaElement) => area === document.activeElement && area.selectionStart === 25),
  )
  await page.keyboard.type(' for {{TEAM}}')
  await shown(page, 'Body').getByText('"text": "Check \\"Shop: products\\" has failed for lookout"').waitFor()
  await page.getByLabel('Sample').selectOption('A recovery')
  await shown(page, 'Body').getByText('"text": "Check \\"Shop: products\\" has recovered for lookout"').waitFor()
  expect(receiver.deliveries).toEqual([])
  await page.getByRole('button', { name: 'Save channel' }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('The test was accepted: 200 noted.').waitFor()
  expect(receiver.deliveries.splice(0).map(({ body }) => body)).toEqual([
    { text: 'Check "Test message" has failed for lookout' },
  ])
})

test('preview and variables are accessible in every look', async () => {
  await expectAccessibleInEveryLook('channel-preview', '/channels', async (other) => {
    await other.getByRole('button', { name: 'Add channel' }).click()
    await other.getByRole('menuitem', { name: 'Add webhook' }).click()
    await other.getByLabel('Body template').fill('{"text": {{ALERT_TITEL}}')
    await other.getByRole('list', { name: 'What is wrong' }).getByRole('listitem').first().waitFor()
    await expectAccessible(other, 'preview')
    await other.getByRole('button', { name: 'Insert a variable' }).click()
    await other.getByRole('option', { name: /ALERT_TITLE/ }).waitFor()
  })
})

test('e-mail without a mail server says what to set, in the form, in the list and to a test', async () => {
  await page.goto(`${product.url}/channels`)
  await page.getByRole('button', { name: 'Add channel' }).click()
  await page.getByRole('menuitem', { name: 'Add e-mail' }).click()
  const advice = page.getByText(/No mail server is set\. Set VEDETTE_SMTP_URL in the environment of the server/)
  await page
    .getByRole('form', { name: 'New e-mail' })
    .and(page.locator('form', { has: advice }))
    .waitFor()
  await page.getByLabel('Address').fill('on-call@example.org')
  await page.getByRole('button', { name: 'Save channel' }).click()
  const row = page.getByRole('list', { name: 'Channels' }).getByRole('listitem').filter({ hasText: 'on-call@' })
  await row.filter({ has: advice }).waitFor()
  await row.getByRole('button', { name: 'Send a test' }).click()
  await row.getByText(/The test was not accepted: No mail server is set/).waitFor()
})

test('the page of a check says how long its certificate is valid, and who changed it last', async () => {
  const authority = createTestAuthority()
  const target = createServer(authority.selfSigned(), (_, response) => void response.end('well')).listen(0, '127.0.0.1')
  await once(target, 'listening')
  const url = `https://127.0.0.1:${(target.address() as AddressInfo).port}/`
  const made = await product.api<{ id: string }>('POST', '/v1/checks/api', {
    name: 'Secure shop',
    frequency: 1440,
    request: { url, skipSSL: true },
  })
  const { id } = made.body
  await until('a run that saw the certificate', async () => {
    const { body } = await product.api<{ certificate: object | null }>('GET', `/v1/checks/${id}/facts`)
    return body.certificate !== null
  })
  await page.goto(`${product.url}/checks/${id}`)
  const facts = page.getByRole('region', { name: 'About this check' })
  await facts.getByText('29 days left').waitFor()
  await facts.getByText('No channel is notified before it expires.').waitFor()
  await facts.getByText(/by the API key “/).waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await facts.getByText(/by admin@localhost/).waitFor()
  target.close()
  target.closeAllConnections()
  authority.remove()
  await expectAccessibleInEveryLook('check-facts', `/checks/${id}`, (other) =>
    other.getByText('29 days left').waitFor(),
  )
})

test('a view of the list is saved under a name, found above the list and by Ctrl-K, deleted and taken back', async () => {
  for (const [name, tag] of [
    ['Cart', 'shop'],
    ['Ledger', 'finance'],
  ])
    await product.api('POST', '/v1/checks/api', { name, tags: [tag], activated: false, request: { url: receiver.url } })
  const views = page.getByRole('navigation', { name: 'Saved views' })
  const list = page.getByRole('main')
  await page.goto(`${product.url}/?tag=shop&group=none&sort=name`)
  await list.getByRole('link', { name: 'Cart' }).waitFor()
  await views.getByRole('button', { name: 'Save view' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save this view' })
  await dialog.getByLabel('Name').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByText(/"name" must not be empty/).waitFor()
  await page.keyboard.type('Shop by name')
  await page.keyboard.press('Enter')
  await views.getByRole('link', { name: 'Shop by name' }).and(page.locator('[aria-current=page]')).waitFor()
  expect(await views.getByRole('button', { name: 'Save view' }).count()).toBe(0)

  await page.goto(`${product.url}/?group=none`)
  await list.getByRole('link', { name: 'Ledger' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go to a check, a page or an action' }).fill('shop by')
  await page.getByRole('option', { name: 'Shop by name' }).click()
  await list.getByRole('link', { name: 'Ledger' }).waitFor({ state: 'detached' })
  expect(new URL(page.url()).search).toContain('sort=name')

  await views.getByRole('button', { name: 'Delete the view Shop by name' }).click()
  await views.getByRole('link', { name: 'Shop by name' }).waitFor({ state: 'detached' })
  await page.getByText('Deleted the view Shop by name.').locator('..').getByRole('button', { name: 'Undo' }).click()
  await views.getByRole('link', { name: 'Shop by name' }).waitFor()
  await expectAccessibleInEveryLook('saved-views', '/?tag=finance', async (other) => {
    await other.getByRole('link', { name: 'Shop by name' }).waitFor()
    await expectAccessible(other, 'saved-views')
    await other.getByRole('button', { name: 'Save view' }).click()
    await other.getByRole('dialog', { name: 'Save this view' }).waitFor()
  })
})

test('the chart shows the phases of short ranges, and says so for longer ones', async () => {
  const target = await startTarget(() => 'up')
  const made = await product.api<{ id: string }>('POST', '/v1/checks/api', {
    name: 'Timed shop',
    frequency: 0,
    frequencyOffset: 10,
    degradedResponseTime: 3000,
    maxResponseTime: 5000,
    request: { url: target.url },
  })
  const { id } = made.body
  await until('a run', async () => {
    const { body } = await product.api<{ buckets: object[] }>('GET', `/v1/checks/${id}/phases`)
    return body.buckets.length > 0
  })
  await page.goto(`${product.url}/checks/${id}?range=1h`)
  const history = page.getByRole('region', { name: 'History' })
  await history.getByText('degraded above 3 s').waitFor()
  await history.getByText('fails above 5 s').waitFor()
  await history.getByRole('button', { name: 'Phases' }).click()
  await history.getByRole('img', { name: /^Phases of runs, most recently DNS .* First byte / }).waitFor()
  await history.getByText('Show as a table').click()
  await history.getByRole('columnheader', { name: 'TLS handshake' }).waitFor()
  await history.getByRole('button', { name: '24 h' }).click()
  await history.getByText('Phases are shown for up to 6 hours. This longer range is shown by location.').waitFor()
  await history.getByRole('img', { name: /^Response time of/ }).waitFor()
  await expectAccessibleInEveryLook('phases', `/checks/${id}?range=1h`, async (other) => {
    await other.getByRole('button', { name: 'Phases' }).click()
    await other.getByRole('img', { name: /^Phases of runs/ }).waitFor()
  })
  await target.stop()
})
