import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, expectFitForThumbs, looks, openWindow, pageErrors, signIn, startBrowser } from './browser.ts'
import { removeDataDir, startProduct, until, type Product } from './product.ts'
import type { Session } from './browser.ts'

// The stories share one product, in which nothing is watched at first.
let product: Product
let browser: Browser
let session: Session

beforeAll(async () => {
  browser = await startBrowser()
  product = await startProduct()
  session = await signIn(browser, product)
})
afterAll(async () => {
  await browser.close()
  await product.stop()
  await removeDataDir(product.dataDir)
  expect(pageErrors).toEqual([])
})

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search operations' })
const operations = (page: Page) => page.getByRole('navigation', { name: 'Operations' })
const answer = (page: Page) => page.getByRole('region', { name: 'Answer of the server' })

test('without a session: an operation is searched, opened, and shown as a command for this server', async () => {
  const page = await openWindow(browser, {})
  await page.goto(`${product.url}/docs`)
  await title(page, 'Vedette management API')
  await page.getByRole('heading', { name: 'Authentication' }).waitFor()
  await search(page).fill('post bulk')
  await operations(page).getByRole('link', { name: 'Change, delete or restore' }).click()
  await title(page, 'Change, delete or restore many checks in the same way')
  expect(new URL(page.url()).hash).toBe('#bulkChangeChecks')
  const command = await page.getByLabel('cURL command', { exact: true }).innerText()
  expect(command).toContain(`curl '${product.url}/v1/checks/bulk'`)
  expect(command).toContain('Authorization: Bearer YOUR_API_KEY')

  await page.reload()
  await title(page, 'Change, delete or restore many checks in the same way')
  await page.getByRole('button', { name: 'Send POST /v1/checks/bulk' }).click()
  await answer(page).getByText('401 Unauthorized').waitFor()
  await answer(page).getByRole('link', { name: 'Sign in' }).click()
  await title(page, 'Sign in to Vedette')
  expect(new URL(page.url()).searchParams.get('to')).toBe('/docs#bulkChangeChecks')
  await page.context().close()
})

test('links of the page that was here before lead to the same operation', async () => {
  const page = await openWindow(browser, {})
  await page.goto(`${product.url}/docs/#/Checks/getCheck`)
  await title(page, 'Read a check')
  const document = await page.request.get(`${product.url}/docs/json`)
  expect(await document.json()).toHaveProperty('openapi')
  await page.context().close()
})

test('signed in: a check is created and listed from the page, and what is missing is named first', async () => {
  const page = await openWindow(browser, { session })
  await page.goto(`${product.url}/docs#createCheck`)
  await title(page, 'Create a check of the type that checkType names')
  await page.getByRole('button', { name: 'TCP', exact: true }).click()
  const body = page.getByRole('textbox', { name: 'Body', exact: true })
  await body.fill((await body.inputValue()).replace('Database', 'Made in the reference'))
  await page.getByRole('button', { name: 'Send POST /v1/checks' }).click()
  await answer(page).getByText('201 Created').waitFor()
  await answer(page).getByText('etag').waitFor()
  const checks = (await product.api<{ id: string; name: string }[]>('GET', '/v1/checks')).body
  expect(checks.map(({ name }) => name)).toEqual(['Made in the reference'])

  await search(page).fill('list checks')
  await operations(page).getByRole('link', { name: 'GET List checks /v1/checks', exact: true }).click()
  await title(page, 'List checks')
  await page.getByLabel('tag').fill('nothing has this tag')
  await page.getByRole('button', { name: 'Send GET /v1/checks' }).click()
  await answer(page).getByText('200 OK').waitFor()
  await page.getByLabel('tag').fill('')
  await page.getByRole('button', { name: 'Send GET /v1/checks' }).click()
  await answer(page).getByText('Made in the reference').waitFor()
  await answer(page).getByText('0-0/1').waitFor()

  await page.goto(`${product.url}/docs#deleteCheck`)
  await title(page, 'Delete a check')
  const remove = page.getByRole('button', { name: 'Send DELETE /v1/checks/{id}' })
  await remove.click()
  await page.getByText('Fill in id: it is part of the address.').waitFor()
  await page.getByLabel('id (required)').fill(checks[0]?.id ?? '')
  await remove.click()
  await answer(page).getByText('204 No Content').waitFor()
  expect((await product.api<unknown[]>('GET', '/v1/checks')).body).toEqual([])
  await page.context().close()
})

test('by keyboard alone: the search leads to an operation and its answer', async () => {
  const page = await openWindow(browser, { session })
  await page.goto(`${product.url}/docs`)
  await title(page, 'Vedette management API')
  const reach = async (matches: string) => {
    for (let step = 0; step < 60; step++) {
      if (await page.evaluate((selector) => document.activeElement?.matches(selector) ?? false, matches)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab never reached ${matches}`)
  }
  await reach('[type=search]')
  await page.keyboard.type('list /v1/variables')
  await until('the one operation that is found', async () => (await operations(page).getByRole('link').count()) === 1)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await title(page, 'List variables')
  await reach('[type=submit]')
  await page.keyboard.press('Enter')
  await answer(page).getByText('200 OK').waitFor()
  await page.context().close()
})

test.each(looks)('is accessible and fits at $width px in the $theme theme, closed, open and answered', async (look) => {
  const page = await openWindow(browser, { ...look, session })
  const expectGood = async (where: string) => {
    await expectAccessible(page, where)
    if (look.width === 390) await expectFitForThumbs(page, where)
  }
  await page.goto(`${product.url}/docs`)
  await title(page, 'Vedette management API')
  await expectGood('reference')
  for (const id of ['getCheckResult', 'deleteCheck']) {
    await page.goto(`${product.url}/docs#${id}`)
    await page.getByRole('heading', { name: 'Try it' }).waitFor()
    await expectGood(id)
  }
  await page.goto(`${product.url}/docs#getOwnAccount`)
  await title(page, 'Read the account')
  await page.getByRole('button', { name: 'Send GET /v1/accounts/me' }).click()
  await answer(page).getByText('200 OK').waitFor()
  await expectGood('answered')
  await page.context().close()
})
