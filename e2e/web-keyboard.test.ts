import type { Browser, Locator, Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDemoShop, type DemoShop } from '../scripts/demo-shop.ts'
import { expectFocus, openWindow, pageErrors, signIn, startBrowser, tabTo } from './browser.ts'
import { removeDataDir, startProduct, until, type Product } from './product.ts'

let product: Product
let shop: DemoShop
let browser: Browser
let page: Page

beforeAll(async () => {
  browser = await startBrowser()
  shop = await startDemoShop({ shop: 0, panel: 0 })
  product = await startProduct()
  page = await openWindow(browser, { session: await signIn(browser, product) })
})
afterAll(async () => {
  await browser.close()
  await product.stop()
  await shop.stop()
  await removeDataDir(product.dataDir)
})

const verdict = () => page.getByRole('region', { name: 'Verdict' })
const button = (name: string) => page.getByRole('button', { name, exact: true })

async function press(target: Locator, where: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
  await expectFocus(page, where)
}

async function type(label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }))
  await expectFocus(page, `in ${label}`)
  await page.keyboard.type(text)
}

test('without a mouse: a check is created, breaks, its cause is found, it is muted, and that is undone', async () => {
  await page.goto(product.url)
  await page.getByText('Nothing is watched yet').waitFor()
  await page.keyboard.press('c')
  await page.getByRole('heading', { level: 1, name: 'New API check' }).waitFor()
  await expectFocus(page, 'in the new form')
  await type('Name', 'Products')
  await type('URL', `${shop.url}/api/products`)
  await press(button('Add assertion'), 'after adding an assertion')
  const second = page.getByRole('group', { name: 'Assertion 2' })
  for (const [label, text] of [
    ['Source', 'Json body'],
    ['JSONPath', '$.products.length'],
    ['Comparison', 'Greater'],
    ['Target', '0'],
  ] as const) {
    await tabTo(page, second.getByLabel(label, { exact: true }))
    await page.keyboard.type(text)
  }
  await type('How often', 'Every 10 s')
  await press(button('Create check'), 'after creating')
  await verdict().getByText('Passing', { exact: true }).waitFor({ timeout: 30_000 })
  await expectFocus(page, 'on the page of the check')

  await shop.set('wrong')
  await page.keyboard.press('/')
  await page.getByRole('heading', { level: 1, name: '1 of 1 checks is failing' }).waitFor({ timeout: 45_000 })
  await expectFocus(page, 'in the search')
  await page.keyboard.press('Tab')
  // The section of failing checks may be read after its count is shown.
  const row = page.getByRole('list', { name: 'Checks' }).getByRole('link', { name: 'Products' })
  await row.waitFor()
  await page.keyboard.press('j')
  await expectFocus(page, 'on the failing row')
  expect(await row.evaluate((link) => link.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Enter')
  await verdict().getByText('Failing', { exact: true }).waitFor()
  await expectFocus(page, 'on the page of the failing check')
  await press(verdict().getByRole('link', { name: 'View result' }), 'on its result')
  const actual = page.getByRole('region', { name: 'Expected and actual' }).getByText('Actual 0')
  await actual.waitFor()
  await press(page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Products' }), 'back')
  await verdict().waitFor()

  await press(button('Mute'), 'in the menu')
  await page.getByRole('menuitem', { name: 'For 1 hour' }).waitFor()
  await page.keyboard.press('Home')
  await expectFocus(page, 'on the first item')
  await page.keyboard.press('Enter')
  await verdict()
    .getByText(/muted until/)
    .waitFor()
  await expectFocus(page, 'after muting')
  await press(button('Undo'), 'after the undo')
  await verdict()
    .getByText(/muted until/)
    .waitFor({ state: 'hidden' })
  await page.getByText('Taken back.').waitFor()
  await expectFocus(page, 'at the end')
  expect(pageErrors).toEqual([])
})

test('whatever goes away under the focus leaves it at its place: rows of forms and lists, dialogs, messages', async () => {
  for (const key of ['FIRST', 'SECOND', 'THIRD']) await product.api('POST', '/v1/variables', { key, value: 'x' })
  await page.goto(`${product.url}/variables`)
  const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement)
  await press(button('Edit SECOND'), 'in the dialog')
  await page.getByRole('dialog', { name: 'Edit SECOND' }).waitFor()
  await page.keyboard.press('Escape')
  await until('the button that opened it', () => isFocused(button('Edit SECOND')))
  await press(button('Delete SECOND'), 'after deleting a row')
  await button('Delete SECOND').waitFor({ state: 'hidden' })
  await until('the row that took its place', () => isFocused(button('Edit THIRD')))
  await press(button('Delete THIRD'), 'after deleting the last row')
  await button('Delete THIRD').waitFor({ state: 'hidden' })
  await expectFocus(page, 'where no row followed')
  await page.goto(`${product.url}/checks/new/api`)
  await press(button('Add assertion'), 'after adding')
  await press(button('Remove assertion 1'), 'after removing the first')
  await press(button('Remove assertion 1'), 'after removing the last')
  expect(await isFocused(button('Add assertion'))).toBe(true)
})
