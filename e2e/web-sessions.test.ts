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
  type Session,
} from './browser.ts'
import { removeDataDir, startProduct, type Product } from './product.ts'
import { startTarget, type Health, type WatchedTarget } from './target.ts'

// Runs that somebody asks for and follows. The stories share one product.
let product: Product
let target: WatchedTarget
let browser: Browser
let signedIn: Session
let page: Page
/** What the target answers; it keeps a request waiting while this is pending. */
let health: Health | Promise<Health> = 'up'
let shop: string

const badge = (name: string) => page.getByRole('status').getByText(name, { exact: true })

function given(name: string, more: Record<string, unknown> = {}): Promise<string> {
  const check = {
    name,
    frequency: 1440,
    doubleCheck: false,
    locations: ['eu-west-1', 'us-east-1'],
    request: { url: target.url },
    ...more,
  }
  return product.create('/v1/checks/api', check)
}

beforeAll(async () => {
  browser = await startBrowser()
  target = await startTarget(() => health)
  product = await startProduct()
  signedIn = await signIn(browser, product)
  page = await openWindow(browser, { session: signedIn })
})
afterAll(async () => {
  await browser.close()
  await product.stop()
  await target.stop()
  await removeDataDir(product.dataDir)
})

test('the list of sessions says how they come about', async () => {
  await page.goto(`${product.url}/sessions`)
  await page.getByText('Nobody asked for a run yet').waitFor()
  for (const look of looks) {
    const window = await openWindow(browser, { ...look, session: signedIn })
    await window.goto(`${product.url}/sessions`)
    await window.getByText('Nobody asked for a run yet').waitFor()
    await takePicture(window, `no-sessions-${look.width}-${look.theme}`)
    await expectAccessible(window, 'no sessions')
    await window.context().close()
  }
})

test('Run now is followed from its start to its result', async () => {
  shop = await given('Shop', { runParallel: true })
  await page.goto(`${product.url}/checks/${shop}`)
  let release: (answer: Health) => void = () => undefined
  await page.getByText('Passing').first().waitFor()
  health = new Promise((resolve) => (release = resolve))
  await page.getByRole('button', { name: 'Run now' }).click()
  await page.getByRole('button', { name: 'Follow' }).click()
  await page.getByRole('heading', { name: 'Session of Shop' }).waitFor()
  await badge('Started').waitFor()
  expect(await page.getByText('Waiting for the result.').count()).toBe(2)
  health = 'up'
  release('up')
  await badge('Passed').waitFor()
  expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0)
  await page
    .getByRole('list', { name: 'Results at us-east-1' })
    .getByRole('link', { name: /Passed/ })
    .click()
  await page.getByRole('heading', { name: 'Result of Shop' }).waitFor()
})

test('a session is cancelled, and its check stays as it was', async () => {
  let release: (answer: Health) => void = () => undefined
  health = new Promise((resolve) => (release = resolve))
  await page.goto(`${product.url}/checks/${shop}`)
  await page.getByRole('button', { name: 'Run now' }).click()
  await page.getByRole('button', { name: 'Follow' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await badge('Cancelled').waitFor()
  health = 'up'
  release('broken')
  const { body } = await product.api<{ state: string }>('GET', `/v1/check-statuses/${shop}`)
  expect(body.state).toBe('passing')
})

test('chosen checks run together and stand in the list of sessions', async () => {
  health = 'broken'
  await given('Cart')
  await page.goto(product.url)
  for (const name of ['Shop', 'Cart']) {
    await page.getByRole('listitem').filter({ hasText: name }).first().hover()
    await page.getByLabel(`Select ${name}`).click()
  }
  await page.getByRole('toolbar', { name: 'Chosen checks' }).getByRole('button', { name: 'Run now' }).click()
  await page.getByText('Running 2 checks.').waitFor()
  await page.getByRole('button', { name: 'Follow' }).click()
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
  await sessions.nth(3).waitFor()
  await sessions.filter({ hasText: 'by the API or a trigger' }).getByText('Failed', { exact: true }).nth(1).waitFor()
  await page.getByRole('link', { name: 'Cart' }).first().click()
  await badge('Failed').waitFor()
  const address = page.url()
  for (const look of looks) {
    const window = await openWindow(browser, { ...look, session: signedIn })
    for (const [what, url] of [
      ['session', address],
      ['sessions', `${product.url}/sessions`],
    ] as const) {
      await window.goto(url)
      await window.getByText('Failed', { exact: true }).first().waitFor()
      const where = `${what}-${look.width}-${look.theme}`
      await takePicture(window, where)
      await expectAccessible(window, where)
      if (look.width === 390) await expectFitForThumbs(window, where)
    }
    await window.context().close()
  }
})

test('a pipeline runs a check by its address and waits for the outcome', async () => {
  health = 'up'
  const { body } = await product.api<{ url: string }>('POST', `/v1/triggers/checks/${shop}`, {})
  const answer = await fetch(body.url, { headers: { accept: 'text/html' } })
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ hasFailures: false, responseTime: expect.any(Number) as number })
  expect(pageErrors).toEqual([])
})
