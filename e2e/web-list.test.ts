import type { Browser, Page } from '@playwright/test'
import type { Overview } from '@vedette/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWindow, pageErrors, requestsTo, signIn, startBrowser, undo, type Session } from './browser.ts'
import { removeDataDir, startProduct, until, type Product } from './product.ts'
import { startTarget, type WatchedTarget } from './target.ts'

// The stories share one product: each continues where the one before ended.
let product: Product
let target: WatchedTarget
let browser: Browser
let session: Session
let page: Page
let products: string

const rows = () => page.getByRole('list', { name: 'Checks' }).getByRole('link')
const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
const search = () => page.getByLabel('Search checks by name or target')

function given(name: string, more: Record<string, unknown> = {}, path = '/'): Promise<string> {
  const check = { name, locations: ['eu-west-1'], frequency: 1440, request: { url: `${target.url}${path}` }, ...more }
  return product.create('/v1/checks/api', check)
}

/** Made, and its first result is known: what follows is not mixed with what that result changes. */
async function givenPassing(name: string): Promise<string> {
  const id = await given(name)
  const state = async () => (await product.api<{ state: string }>('GET', `/v1/check-statuses/${id}`)).body.state
  await until(`${name} to pass`, async () => (await state()) === 'passing')
  return id
}

beforeAll(async () => {
  browser = await startBrowser()
  // Every first attempt at the flaky path breaks.
  target = await startTarget((path, nth) => (path === '/flaky' && nth % 2 === 1 ? 'broken' : 'up'))
  product = await startProduct()
  products = await givenPassing('Products')
  session = await signIn(browser, product)
  page = await openWindow(browser, { session })
})
afterAll(async () => {
  await browser.close()
  await product.stop()
  await target.stop()
  await removeDataDir(product.dataDir)
})

test('opening the list asks for nothing twice but what is read before events can come', async () => {
  const asked = requestsTo(page, '/')
  await page.goto(product.url)
  await row('Products').getByText('Passing').waitFor()
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  await row('Products').getByText('100 %').waitFor()
  const early = ['/v1/overview?with=counts', '/v1/health'].map((path) => `${product.url}${path}`)
  expect(asked()).toContain(early[0])
  const rest = asked().filter((url) => !early.includes(url))
  expect(rest).toEqual([...new Set(rest)])
  for (const url of early) expect(asked().filter((each) => each === url).length).toBeLessThanOrEqual(2)
})

test('a result changes its row from its event: nothing is read again', async () => {
  await page.goto(product.url)
  await row('Products').getByText('100 %').waitFor()
  const runOnce = async (runs: number) => {
    await product.api('POST', `/v1/checks/${products}/run`, {})
    await page.getByRole('img', { name: `Last ${runs} runs: ${runs} passed` }).waitFor()
  }
  // By then the page is live, and has read again what it had read before that.
  await runOnce(2)
  const asked = requestsTo(page, '/v1/overview')
  for (const runs of [3, 4]) await runOnce(runs)
  expect(asked()).toEqual([])
})

test('what is typed into the search is asked for once, when the typing rests', async () => {
  const own = await openWindow(browser, { session })
  await own.clock.install()
  await own.goto(product.url)
  const shown = own.getByRole('list', { name: 'Checks' }).getByRole('link')
  await shown.first().waitFor()
  const asked = requestsTo(own, 'search=')
  await own.clock.pauseAt(Date.now() + 60_000)
  await own.getByLabel('Search checks by name or target').focus()
  await own.keyboard.type('produ')
  await own.clock.runFor(100)
  await own.keyboard.type('cts')
  await own.clock.resume()
  await until('the address to follow', () => Promise.resolve(own.url().includes('search=products')))
  await shown.first().waitFor()
  expect(asked()).not.toEqual([])
  expect(asked().every((url) => new URL(url).searchParams.get('search') === 'products')).toBe(true)
  expect(asked()).toEqual([...new Set(asked())])
  await own.context().close()
})

test('the list is searched, filtered and walked by keys, and every filter has an address', async () => {
  await given('Front page', { activated: false, tags: ['pages'] })
  await page.goto(product.url)
  await page.getByRole('button', { name: /^Paused 1/ }).click()
  await until('both rows', async () => (await rows().count()) === 2)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  expect(
    await rows()
      .nth(1)
      .evaluate((row) => row === document.activeElement),
  ).toBe(true)
  await page.keyboard.press('/')
  await page.keyboard.type('front')
  await until('one row', async () => (await rows().count()) === 1)
  await page.goto(`${product.url}/?tag=pages&state=paused`)
  await rows().getByText('Front page').waitFor()
  await page.getByRole('button', { name: '1 paused' }).click()
  await until('the address to follow', async () => !page.url().includes('state='))
})

test('what changes while the pointer is over the list moves no row', async () => {
  await page.goto(product.url)
  await rows().first().hover()
  const names = () => rows().evaluateAll((all) => all.map((row) => row.getAttribute('href')))
  const before = await names()
  await product.api('POST', '/v1/checks/tcp', { name: 'A new one', request: { hostname: '127.0.0.1', port: 9 } })
  await page.getByRole('button', { name: /^1 new/ }).waitFor()
  expect(before).toHaveLength(2)
  expect(await names()).toEqual(before)
  const button = await page.getByRole('button', { name: /^1 new/ }).boundingBox()
  if (button === null) throw new Error('The button is not on the page.')
  // As a hand does it, not in one leap: the list is left long before the button is pressed.
  const [x, y] = [button.x + button.width / 2, button.y + button.height / 2]
  await page.mouse.move(x, y, { steps: 10 })
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  expect(await names()).toEqual(before)
  await page.mouse.click(x, y)
  await until('the third row', async () => (await rows().count()) === 3)
})

test('what was pressed beside the list does not hold its order', async () => {
  await page.goto(product.url)
  await until('three rows', async () => (await rows().count()) === 3)
  const order = page.getByRole('combobox', { name: 'Order' })
  await order.focus()
  await page.mouse.move(0, 0)
  expect(await order.evaluate((select) => select === document.activeElement)).toBe(true)
  const { body } = await product.api<{ id: string }>('POST', '/v1/checks/tcp', {
    name: 'A passing thought',
    request: { hostname: '127.0.0.1', port: 9 },
  })
  await until('the fourth row', async () => (await rows().count()) === 4)
  await product.api('DELETE', `/v1/checks/${body.id}`)
  await until('three rows again', async () => (await rows().count()) === 3)
})

test('chosen checks are changed together, deleted at once, and brought back by one press', async () => {
  await page.goto(product.url)
  await until('three rows', async () => (await rows().count()) === 3)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  const bar = page.getByRole('toolbar', { name: 'Chosen checks' })
  await bar.getByText('1 check').waitFor()
  await page.getByLabel('Select Front page').click({ modifiers: ['Shift'] })
  await bar.getByText(/^[23] checks/).waitFor()
  await bar.getByRole('button', { name: 'Delete' }).click()
  await until('fewer rows', async () => (await rows().count()) < 3)
  const asked = requestsTo(page, '/v1/checks/')
  await undo(page, /^Deleted \d checks/)
  await until('the rows again', async () => (await rows().count()) === 3)
  expect(asked()).toEqual([`${product.url}/v1/checks/bulk/undo`])
})

test('muting checks together can be taken back: each is muted as it was, for good or not at all', async () => {
  await page.goto(product.url)
  const mutes = async () => {
    const { body } = await product.api<Overview>('GET', '/v1/overview')
    return Object.fromEntries(body.items.map(({ name, muted, mutedUntil }) => [name, { muted, mutedUntil }]))
  }
  const chosen = ['Products', 'A new one']
  for (const name of chosen) {
    await row(name).hover()
    await page.getByLabel(`Select ${name}`).click()
  }
  await page.getByRole('toolbar', { name: 'Chosen checks' }).getByText('2 checks').waitFor()
  await product.api('PUT', `/v1/checks/${products}/mute`, { until: null })
  const before = await mutes()
  expect(before).toMatchObject({
    Products: { muted: true, mutedUntil: null },
    'A new one': { muted: false, mutedUntil: null },
  })
  await page.getByRole('toolbar').getByRole('button', { name: 'Mute', exact: true }).click()
  await page.getByRole('menuitem', { name: 'For 1 hour' }).click()
  await page.getByText('Muted for 1 hour: 2 checks.').waitFor()
  for (const name of chosen) expect((await mutes())[name]?.mutedUntil).toMatch(/Z$/)
  await undo(page, 'Muted for 1 hour: 2 checks.')
  await page.getByText('Taken back.').waitFor()
  expect(await mutes()).toEqual(before)
  await product.api('DELETE', `/v1/checks/${products}/mute`)
})

test('any check and page is reached by its name', async () => {
  await page.goto(product.url)
  await page.getByRole('heading', { level: 1, name: /check/ }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go to a check, a page or an action' }).fill('front')
  await page.getByRole('option', { name: 'Front page' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Front page' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('locations')
  await page.getByRole('option', { name: 'Locations' }).click()
  await page.getByText('Built-in agent').first().waitFor()
})

test('/ leads to the search from any page, and keeps the filters of the list', async () => {
  for (const path of ['/settings', '/checks/new/tcp', '/channels']) {
    await page.goto(`${product.url}${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('/')
    await search().waitFor()
    await until(`the focus from ${path}`, () => search().evaluate((box) => box === document.activeElement))
  }
  await page.goto(`${product.url}/?sort=name`)
  await rows().first().waitFor()
  await page.keyboard.press('/')
  await until('the focus', () => search().evaluate((box) => box === document.activeElement))
  await page.keyboard.type('prod')
  await until('one row', async () => (await rows().count()) === 1)
  expect(page.url()).toContain('sort=name')
})

test('a check that passes only after retries shows them in the list, the history and the results', async () => {
  const retryStrategy = { type: 'SINGLE_RETRY', baseBackoffSeconds: 0, maxRetries: 1, sameRegion: true }
  const id = await given('Flaky', { retryStrategy }, '/flaky')
  await page.goto(product.url)
  await row('Flaky').getByRole('img', { name: 'Last 1 run: 1 passed; 1 needed a retry' }).waitFor()
  await product.api('POST', `/v1/checks/${id}/run`, {})
  await row('Flaky').getByRole('img', { name: 'Last 2 runs: 2 passed; 2 needed a retry' }).waitFor()
  await row('Flaky').getByRole('link').click()
  await page.getByRole('region', { name: 'History' }).getByText('2 retried').waitFor()
  const results = page.getByRole('list', { name: 'Results' })
  await until('both results', async () => (await results.getByText('after 1 retry').count()) === 2)
  await page.getByLabel('Which results').selectOption('With attempts')
  await until('their attempts', async () => (await results.getByText('retried').count()) === 2)
  await results.getByText('after 1 retry').first().click()
  await page.getByText('Attempt 1: failed').waitFor()
})

test('an address of what is not there says what there is none of', async () => {
  const id = await given('Short-lived')
  const none = '00000000-0000-4000-8000-000000000000'
  const said: Record<string, string> = {
    [`/checks/${none}`]: 'No such check',
    '/checks/no-id': 'No such check',
    [`/checks/${none}/edit`]: 'No such check',
    '/checks/no-id/edit': 'No such check',
    [`/checks/new/api?clone=${none}`]: 'No such check',
    [`/checks/${id}/results/${none}`]: 'No such result',
    [`/checks/no-id/results/${none}`]: 'No such result',
    '/checks/new/nothing': 'No such type of check',
    '/nowhere': 'There is nothing at this address',
  }
  for (const [path, text] of Object.entries(said)) {
    await page.goto(`${product.url}${path}`)
    await page.getByRole('main').getByRole('heading', { level: 1, name: text }).waitFor()
  }
  expect(pageErrors).toEqual([])
})
