import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestAuthority } from '../packages/checks/test-support/certificates.ts'
import { openWindow, pageErrors, signIn, startBrowser, undo } from './browser.ts'
import { removeDataDir, startProduct, until, type Product } from './product.ts'
import { startReceiver } from './receiver.ts'
import { startTarget, type Health, type WatchedTarget } from './target.ts'

// Channels, variables, snippets, certificates and locations. The stories share one product.
let product: Product
let target: WatchedTarget
let receiver: Awaited<ReturnType<typeof startReceiver>>
let browser: Browser
let page: Page
let health: Health = 'up'

const verdict = () => page.getByRole('region', { name: 'Verdict' })

function given(name: string, more: Record<string, unknown> = {}): Promise<string> {
  const check = { name, frequency: 1440, doubleCheck: false, request: { url: target.url }, ...more }
  return product.create('/v1/checks/api', check)
}

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

test('a new channel can hear of the checks there are already: all, or those with a tag', async () => {
  for (const [name, tags] of [
    ['Shop', ['shop']],
    ['Cart', ['shop']],
    ['Office', []],
  ] as const)
    await given(name, { locations: ['us-east-1'], tags })
  const add = async (name: string, cover: string) => {
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('URL').fill(receiver.url)
    await page.getByLabel('The 3 checks there are already').selectOption(cover)
    await page.getByRole('button', { name: 'Save channel' }).click()
  }
  const channel = (name: string) =>
    page.getByRole('list', { name: 'Channels' }).getByRole('listitem').filter({ hasText: name })
  const addAnother = async (name: string, cover: string) => {
    await page.getByRole('button', { name: 'Add channel' }).click()
    await page.getByRole('menuitem', { name: 'Add webhook' }).click()
    await add(name, cover)
  }
  await page.goto(`${product.url}/channels`)
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await add('On-call bot', 'Subscribe all of them')
  await channel('On-call bot')
    .getByText(/ of 3 checks, and of every new one/)
    .waitFor()
  await addAnother('Shop bot', 'Subscribe those with the tag shop')
  await channel('Shop bot')
    .getByText(/ of 2 checks/)
    .waitFor()
  await addAnother('Quiet bot', 'Leave as they are')
  await channel('Quiet bot')
    .getByText(/ of 0 checks/)
    .waitFor()
})

test('what the built-in agent ran in place of a region is told as emulated, on pages and in messages', async () => {
  health = 'broken'
  const [{ id } = { id: '' }] = (await product.api<{ id: string }[]>('GET', '/v1/checks?limit=100')).body
  await product.api('POST', `/v1/checks/${id}/run`, {})
  await until('the alert', () => Promise.resolve(receiver.deliveries[0]))
  health = 'up'
  expect(receiver.deliveries[0]?.body['RUN_LOCATION']).toBe('N. Virginia (emulated)')
  await page.goto(`${product.url}/checks/${id}`)
  await verdict().getByText('At 1 of 1 location: us-east-1 (emulated).').waitFor()
  await verdict()
    .getByText(/from us-east-1 \(emulated\)/)
    .waitFor()
  const facts = page.getByRole('region', { name: 'About this check' })
  await facts.getByText('us-east-1 (emulated: run by this server)').waitFor()
  await page.getByRole('list', { name: 'Results' }).getByText('us-east-1 (emulated)').first().waitFor()
  await page.getByRole('list', { name: 'Results' }).getByRole('link').first().click()
  await page.getByRole('region', { name: 'Outcome' }).getByText('us-east-1 (emulated)').waitFor()
})

test('a location with a key and no agent is the cause that a check of it names, and the check is not well', async () => {
  await page.goto(`${product.url}/locations`)
  await page.getByLabel('Region').selectOption('eu-west-3')
  await page.getByRole('button', { name: 'Make key' }).click()
  await page.getByText(/VEDETTE_URL=\S+ API_KEY=vdl_\S+ npx /).waitFor()
  const id = await given('Paris', { locations: ['eu-west-3'] })
  await page.goto(product.url)
  const row = page.getByRole('listitem').filter({ hasText: 'Paris' })
  await row.getByText('Not known', { exact: true }).waitFor()
  await row.getByText('The location eu-west-3 has a key, but no agent has ever connected with it.').last().waitFor()
  await page.getByRole('button', { name: '1 not known', exact: true }).waitFor()
  await page.goto(`${product.url}/checks/${id}`)
  await verdict().getByText('Not known', { exact: true }).waitFor()
  await verdict()
    .getByText(/eu-west-3 has a key, but no agent has ever connected/)
    .waitFor()
  expect(await page.getByRole('region', { name: 'About this check' }).textContent()).not.toContain('emulated')
  await page.getByRole('link', { name: 'Edit' }).click()
  const waiting = page.getByRole('group').filter({ hasText: 'No agent has come yet' })
  await waiting.getByLabel('eu-west-3').waitFor()
})

test('a private location is made with its key, chosen for a check, deleted when nothing uses it and brought back', async () => {
  await page.goto(`${product.url}/locations`)
  const panel = page.getByRole('region', { name: 'Private locations' })
  await panel.getByText('There are none yet').waitFor()
  await panel.getByRole('button', { name: 'New private location' }).click()
  const form = page.getByRole('dialog', { name: 'New private location' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Büro Köln')
  expect(await form.getByLabel('Slug').inputValue()).toBe('buro-koln')
  await form.getByLabel('Proxy for API checks').fill('proxy.example')
  await form.getByRole('button', { name: 'Add location' }).click()
  await form.getByText(/must be the http:\/\/ or https:\/\/ address of a proxy/).waitFor()
  await form.getByLabel('Proxy for API checks').fill('http://ann:hush-hush@proxy.example:3128')
  await form.getByRole('button', { name: 'Add location' }).click()
  await page.getByRole('heading', { level: 1, name: 'Büro Köln' }).waitFor()
  await page.getByText(/VEDETTE_URL=\S+ API_KEY=vdl_\S+ npx /).waitFor()
  await page.getByText('None has ever called').waitFor()
  await page.getByText('Nothing yet. Choose this location').waitFor()
  await page.reload()
  await page.getByText('None has ever called').waitFor()
  expect(await page.getByText(/vdl_/).count()).toBe(0)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Locations' }).click()
  await panel.getByText('API checks go through http://******@proxy.example:3128.').waitFor()

  const id = await given('Printer', {})
  await page.goto(`${product.url}/checks/${id}/edit`)
  const own = page.getByRole('group').filter({ hasText: 'Runs come from the agents in your own networks.' })
  await own.getByLabel('Büro Köln (buro-koln)').check()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('region', { name: 'About this check' }).getByText('buro-koln').waitFor()

  await page.goto(`${product.url}/locations`)
  await page.getByRole('button', { name: 'Delete Büro Köln' }).click()
  await panel.getByText('It is in use: check "Printer". Take it out of them first.').waitFor()
  await page.goto(`${product.url}/checks/${id}/edit`)
  await own.getByLabel('Büro Köln (buro-koln)').uncheck()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('region', { name: 'About this check' }).waitFor()
  await page.goto(`${product.url}/locations`)
  await page.getByRole('button', { name: 'Delete Büro Köln' }).click()
  await panel.getByText('There are none yet').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await panel.getByText('buro-koln').waitFor()
})

test('a secret variable is written, never shown again, deleted at once and brought back', async () => {
  await page.goto(`${product.url}/variables`)
  await page.getByRole('heading', { level: 1, name: 'Variables' }).waitFor()
  await page.getByLabel('Name').fill('SHOP TOKEN')
  await page.getByLabel('Value', { exact: true }).fill('hunter2-and-more')
  await page.getByLabel('Secret').check()
  await page.getByRole('button', { name: 'Add variable' }).click()
  await page.getByRole('alert').getByText(/key/).waitFor()
  await page.getByLabel('Name').fill('SHOP_TOKEN')
  await page.getByRole('button', { name: 'Add variable' }).click()
  const listed = page.getByRole('list', { name: 'Variables' }).getByText('SHOP_TOKEN')
  await listed.waitFor()
  await page.reload()
  await listed.waitFor()
  expect(await page.content()).not.toContain('hunter2')
  await page.getByRole('button', { name: 'Delete SHOP_TOKEN' }).click()
  await page.getByText('There are none yet').waitFor()
  await undo(page, 'Deleted SHOP_TOKEN.')
  await listed.waitFor()
})

test('a variable among hundreds is found by a part of its name, or by showing more', async () => {
  for (let n = 100; n < 225; n++) await product.api('POST', '/v1/variables', { key: `MANY_${n}`, value: 'x' })
  await page.goto(`${product.url}/variables`)
  const rows = page.getByRole('list', { name: 'Variables' }).getByRole('listitem')
  await page.getByText('100 of 126 are shown.').waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await rows.getByText('SHOP_TOKEN').waitFor()
  expect(await rows.count()).toBe(126)
  await page.getByLabel('Search variables').fill('y_21')
  await until('the list to be searched', async () => (await rows.count()) === 10)
  await page.getByLabel('Search variables').fill('nowhere')
  await page.getByText('No name contains “nowhere”.').waitFor()
})

test('a snippet is written, changed, kept while a check uses it, deleted and brought back', async () => {
  await page.goto(`${product.url}/snippets`)
  await page.getByText('There are none yet').waitFor()
  await page.getByLabel('Name').fill('sign-in')
  await page.getByLabel('Code').fill('signIn()')
  await page.getByRole('button', { name: 'Add snippet' }).click()
  const row = page.getByRole('list', { name: 'Snippets' }).getByRole('listitem')
  await row.getByText('No check uses it.').waitFor()
  await page.getByLabel('Name').fill('sign-in')
  await page.getByLabel('Code').fill('again()')
  await page.getByRole('button', { name: 'Add snippet' }).click()
  await page.getByRole('alert').getByText('A snippet named "sign-in" exists already').waitFor()
  await page.getByRole('button', { name: 'Edit sign-in' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit sign-in' })
  await dialog.getByLabel('Code').fill('signInBetter()')
  await dialog.getByRole('button', { name: 'Save snippet' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const { body: snippets } = await product.api<{ id: number; script: string }[]>('GET', '/v1/snippets')
  expect(snippets.map(({ script }) => script)).toEqual(['signInBetter()'])
  const check = await given('Cart with sign-in', { setupSnippetId: snippets[0]?.id })
  await page.reload()
  await row.getByRole('link', { name: 'Cart with sign-in' }).waitFor()
  await page.getByRole('button', { name: 'Delete sign-in' }).click()
  await page.getByText('It is used by "Cart with sign-in"; change that check first.').first().waitFor()
  await product.api('PUT', `/v1/checks/api/${check}`, { setupSnippetId: null })
  await page.getByRole('button', { name: 'Delete sign-in' }).click()
  await page.getByText('There are none yet').waitFor()
  await undo(page, 'Deleted sign-in.')
  await row.getByText('No check uses it.').waitFor()
})

test('a client certificate is refused with the reason at its field, added, deleted and brought back', async () => {
  const authority = createTestAuthority()
  const [own, other] = [authority.leaf(), authority.leaf()]
  authority.remove()
  await page.goto(`${product.url}/certificates`)
  await page.getByText('There are none yet').waitFor()
  await page.getByLabel('Host').fill('*.shop.example')
  await page.getByLabel('Certificate', { exact: true }).fill(own.cert)
  await page.getByLabel('Private key').fill(other.key)
  await page.getByRole('button', { name: 'Add certificate' }).click()
  await page.getByText('must be the key of the certificate, got that of another one').waitFor()
  await page.getByLabel('Private key').fill(own.key)
  await page.getByRole('button', { name: 'Add certificate' }).click()
  const row = page.getByRole('list', { name: 'Certificates' }).getByRole('listitem')
  await row.getByText('CN=leaf.test').waitFor()
  expect(await page.getByLabel('Private key').inputValue()).toBe('')
  await page.getByRole('button', { name: 'Delete the certificate for *.shop.example' }).click()
  await page.getByText('There are none yet').waitFor()
  await undo(page, 'Deleted the certificate for *.shop.example.')
  await row.getByText('CN=leaf.test').waitFor()
})

test('no page threw', () => {
  expect(pageErrors).toEqual([])
})
