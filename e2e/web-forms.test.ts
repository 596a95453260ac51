import type { Browser, Locator, Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startNameServer } from '../packages/checks/test-support/name-server.ts'
import { dnsReply } from '../packages/checks/test-support/servers.ts'
import { startDemoShop, type DemoShop } from '../scripts/demo-shop.ts'
import { openWindow, pageErrors, setPassword, signIn, startBrowser, takePicture, type Session } from './browser.ts'
import { removeDataDir, startProduct, until, type Product } from './product.ts'

let product: Product
let shop: DemoShop
let browser: Browser
let session: Session
let page: Page

const password = 'a long watch in the night'
const dryRun = (on: Page = page) => on.getByRole('region', { name: 'Dry run' })
const field = (label: string) => page.getByLabel(label, { exact: true })

beforeAll(async () => {
  browser = await startBrowser()
  shop = await startDemoShop({ shop: 0, panel: 0 })
  product = await startProduct()
  session = await signIn(browser, product)
  page = await openWindow(browser, { session })
})
afterAll(async () => {
  await browser.close()
  await product.stop()
  await shop.stop()
  await removeDataDir(product.dataDir)
})

test('what was typed is lost neither by a wrong click nor by a reload', async () => {
  await page.goto(`${product.url}/checks/new/tcp`)
  await page.getByLabel('Host').fill('db.example.org')
  await page.getByRole('link', { name: 'Alerts' }).click()
  await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor()
  await page.goBack()
  expect(await page.getByLabel('Host').inputValue()).toBe('db.example.org')
  await page.reload()
  await page.getByText('what you typed before and did not save').waitFor()
  expect(await page.getByLabel('Host').inputValue()).toBe('db.example.org')
  await page.getByRole('button', { name: 'Start over' }).click()
  expect(await page.getByLabel('Host').inputValue()).toBe('')
})

test('a pasted command fills the form; a click on a value of the answer asserts it', async () => {
  await page.goto(`${product.url}/checks/new/api`)
  const command = `curl '${shop.url}/api/products' -H 'accept: application/json' -H 'x-night: watch'`
  await page.getByLabel('Address or cURL command').fill(command)
  await page.getByRole('button', { name: 'Fill in' }).click()
  expect(await page.getByLabel('URL', { exact: true }).inputValue()).toBe(`${shop.url}/api/products`)
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(new URL(shop.url).host)
  await page.getByRole('tab', { name: /Headers/ }).click()
  expect(await page.getByLabel('Headers: value 2').inputValue()).toBe('watch')
  await page.getByRole('button', { name: 'Try it' }).click()
  const answer = dryRun()
  await answer
    .getByRole('tab', { name: /Headers/ })
    .last()
    .click()
  await answer
    .getByRole('button', { name: /application\/json/ })
    .last()
    .click()
  const asserted = page.getByRole('group', { name: 'Assertion 2' })
  expect(await asserted.getByLabel('Target').inputValue()).toMatch(/^application\/json/)
  expect(await asserted.getByLabel('Header', { exact: true }).inputValue()).toBe('content-type')
  await page.evaluate(() => sessionStorage.clear())
})

test('a session that ends over a form is renewed in a dialog, and the form goes on', async () => {
  await page.goto(product.url)
  await setPassword(page, password)
  await page.goto(`${product.url}/checks/new/tcp`)
  await page.getByLabel('Host').fill('db.example.org')
  await page.getByLabel('Name', { exact: true }).fill('Database')
  await page.getByLabel('Port').fill('5432')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Create check' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.getByLabel('Password').fill(password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await page.getByLabel('Host').inputValue()).toBe('db.example.org')
  await page.evaluate(() => sessionStorage.clear())
})

test.each([1440, 390] as const)(
  'at %d px an address without a scheme is completed, and the answer of its dry run is in sight',
  async (width) => {
    const own = await openWindow(browser, { width, session })
    await own.goto(`${product.url}/checks/new/api`)
    await own.getByLabel('Name', { exact: true }).fill('Products')
    await own.getByLabel('URL', { exact: true }).fill(`localhost:${shop.port}/api/products`)
    await own.getByRole('button', { name: 'Try it' }).click()
    await dryRun(own).getByText('200 OK').waitFor()
    await dryRun(own).getByText(`GET http://localhost:${shop.port}/api/products`).waitFor({ state: 'attached' })
    await expectInSight(own, dryRun(own).getByRole('region', { name: 'Outcome' }).getByText('Passed'))
    await expectInSight(own, dryRun(own).getByRole('heading', { name: /Dry run/ }))
    await own.getByRole('button', { name: 'Try it' }).click()
    await until('the second answer', async () => (await dryRun(own).getByText('just now').count()) > 0)
    await expectInSight(own, dryRun(own).getByRole('region', { name: 'Outcome' }).getByText('Passed'))
    await own.context().close()
  },
)

/** Nothing needs to be scrolled, and nothing lies over it. */
async function expectInSight(of: Page, what: Locator): Promise<void> {
  await until(`${String(what)} in sight`, () => what.evaluate(isInSight), 10_000)
  expect(await of.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
}

/** Runs in the page. */
function isInSight(element: Element): boolean {
  const box = element.getBoundingClientRect()
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
  return top !== null && (element.contains(top) || top.contains(element))
}

test('the total of a run is the sum of the times that stand above it', async () => {
  await page.goto(`${product.url}/checks/new/api`)
  await field('Name').fill('Products')
  await field('URL').fill(`${shop.url}/api/products`)
  const answered = page.waitForResponse((response) => response.url().endsWith('/dry-run'))
  await page.getByRole('button', { name: 'Try it' }).click()
  const { apiCheckResult: part } = (await (await answered).json()) as {
    apiCheckResult: { response: { timingPhases: Record<string, number> } }
  }
  const { total = 0, wait: _, ...phases } = part.response.timingPhases
  const labels = await page
    .getByRole('region', { name: 'Where the time went' })
    .getByRole('rowheader')
    .allTextContents()
  expect(labels).toEqual([
    'DNS',
    'TCP connection',
    'TLS handshake',
    'First byte',
    'Download',
    'Between the steps',
    'Total',
    'Waited before it began, not counted',
  ])
  expect(Object.keys(phases)).toHaveLength(labels.length - 2)
  expect(Object.values(phases).reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(total, 5)
  await page.evaluate(() => sessionStorage.clear())
})

test('a DNS check shows the records that a name server answers', async () => {
  const server = await startNameServer(({ query, answer }) => {
    const name = query.questions?.[0]?.name ?? ''
    const mail = (exchange: string, preference: number) =>
      ({ type: 'MX', name, data: { exchange, preference }, ttl: 300 }) as const
    answer(dnsReply(query, { answers: [mail('mail.shop.example', 10), mail('backup.shop.example', 20)] }))
  })
  await page.goto(`${product.url}/checks/new/dns`)
  await field('Name').fill('Mail of the shop')
  await field('Name to look up').fill('shop.example')
  await field('Record type').selectOption('MX')
  await field('Name server').fill('127.0.0.1')
  await field('Port').fill(String(server.port))
  await page.getByRole('button', { name: 'Try it' }).click()
  await dryRun().getByText('NOERROR').waitFor()
  expect(await dryRun().getByRole('table').last().textContent()).toMatch(
    /shop\.example.*300.*10 mail\.shop\.example.*20 backup/,
  )
  await takePicture(page, 'dns-dry-run')
  await dryRun().getByRole('tab', { name: 'As text' }).click()
  await dryRun().getByText('shop.example 300 IN MX 10 mail.shop.example').waitFor()
  await page.getByRole('button', { name: 'Create check' }).click()
  await page.getByRole('heading', { level: 1, name: 'Mail of the shop' }).waitFor()
  await until('the first run', async () => (await page.getByText('Passing').count()) > 0, 20_000)
  await takePicture(page, 'dns-check')
  await server.close()
})

test('a host is pinged from its form, and the answer shows every packet', async () => {
  await page.goto(`${product.url}/checks/new/icmp`)
  await field('Name').fill('This machine')
  await page.getByRole('textbox', { name: 'Host' }).fill('127.0.0.1')
  await field('Pings').fill('3')
  await page.getByRole('button', { name: 'Try it' }).click()
  const answers = dryRun().getByRole('region', { name: 'Answers', exact: true })
  await answers.getByText('3 of 3 answered').waitFor()
  await answers.getByText('by 127.0.0.1').waitFor()
  expect(await answers.getByRole('row').count()).toBe(4)
  await dryRun().getByRole('region', { name: 'Outcome' }).getByText('Passed').waitFor()
  await page.evaluate(() => sessionStorage.clear())
})

test('what was wrong is said at its field in plain words, and is gone once it is right', async () => {
  await page.goto(`${product.url}/checks/new/api`)
  const complaints = () => page.getByRole('main').getByRole('alert')
  await page.getByRole('button', { name: 'Try it' }).click()
  await complaints().getByText('2 fields need a correction: Name, URL.').waitFor()
  await field('Name').fill('Products')
  await field('URL').fill('no address')
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByText(/^Must be an http or https address/).waitFor()
  await field('URL').fill(`${shop.url}/nothing-here`)
  await page.getByRole('button', { name: 'Try it' }).click()
  await dryRun().getByRole('region', { name: 'Response', exact: true }).getByText('404 Not Found').waitFor()
  expect(await complaints().count()).toBe(0)
  expect(await page.locator('[aria-invalid=true]').count()).toBe(0)
  await page.getByRole('tab', { name: 'Headers' }).first().click()
  await page.getByRole('button', { name: 'Add header', exact: true }).click()
  await page.getByLabel('Headers: name 1').fill('not a name')
  await page.getByRole('button', { name: 'Try it' }).click()
  await complaints().getByText('One field needs a correction: Headers.').waitFor()
  await page.getByRole('button', { name: 'Remove header 1' }).click()
  await page.getByRole('button', { name: 'Create check' }).click()
  await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor()
  expect(await complaints().count()).toBe(0)
  expect(pageErrors).toEqual([])
})

test('a check depends on others that are found by name; while one fails its page says that nobody is notified', async () => {
  const down = { frequency: 0, frequencyOffset: 10, doubleCheck: false, request: { url: 'http://127.0.0.1:1/' } }
  const parent = await product.create('/v1/checks/api', { ...down, name: 'Gateway' })
  const child = await product.create('/v1/checks/api', { ...down, name: 'Behind the gateway', activated: false })
  await product.create('/v1/alert-channels', {
    type: 'WEBHOOK',
    config: { name: 'Ops', url: 'http://127.0.0.1:1/hook' },
    subscriptions: [{ checkId: parent, activated: true }],
  })
  await until('the gateway to fail', async () => {
    const { body } = await product.api<{ hasFailures: boolean }>('GET', `/v1/check-statuses/${parent}`)
    return body.hasFailures
  })
  await page.goto(`${product.url}/checks/${child}/edit`)
  const depends = page.getByRole('group', { name: 'Depends on' })
  await depends.getByLabel('Checks it depends on', { exact: true }).click()
  await page.getByRole('combobox', { name: 'Find checks it depends on' }).fill('gatew')
  await page.getByRole('option', { name: 'Gateway', exact: true }).click()
  await page.keyboard.press('Escape')
  await depends.getByText('Gateway', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(`${product.url}/checks/${child}`)
  const { body } = await product.api<{ parentCheckIds: string[] }>('GET', `/v1/checks/${child}`)
  expect(body.parentCheckIds).toEqual([parent])
  await product.api('PUT', `/v1/checks/api/${child}`, { activated: true })
  await page.getByText('Held back: its parent').waitFor({ timeout: 60_000 })
  await page.getByRole('region', { name: 'Verdict' }).getByRole('link', { name: 'Gateway', exact: true }).click()
  await page.waitForURL(`${product.url}/checks/${parent}`)
})
