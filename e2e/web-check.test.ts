import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWindow, pageErrors, signIn, startBrowser } from './browser.ts'
import { removeDataDir, startProduct, until, type Product } from './product.ts'
import { startTarget, type WatchedTarget } from './target.ts'

// The page of one check, which is degraded at every run.
let product: Product
let target: WatchedTarget
let browser: Browser
let page: Page
let id: string

const history = () => page.getByRole('region', { name: 'History' })
const chart = () => page.getByRole('img', { name: /^Response time of \d+ runs?/ })

beforeAll(async () => {
  browser = await startBrowser()
  target = await startTarget(() => 'up')
  product = await startProduct()
  const check = { name: 'Slow', frequency: 1440, locations: ['eu-west-1'], degradedResponseTime: 0 }
  const made = await product.api<{ id: string }>('POST', '/v1/checks/api', { ...check, request: { url: target.url } })
  id = made.body.id
  page = await openWindow(browser, { session: await signIn(browser, product) })
  await page.clock.install()
  await page.goto(`${product.url}/checks/${id}`)
  await page.getByRole('region', { name: 'Verdict' }).getByText('Degraded', { exact: true }).waitFor()
})
afterAll(async () => {
  await browser.close()
  await product.stop()
  await target.stop()
  await removeDataDir(product.dataDir)
})

test('a degraded run is charted as degraded, in bands, figures, table and list, and nowhere as failed', async () => {
  await history().getByText('1 degraded').waitFor()
  await history().getByText('100 %').waitFor()
  await history().getByText('degraded', { exact: true }).waitFor()
  expect(await history().getByText('failing', { exact: true }).count()).toBe(0)
  expect(await chart().getAttribute('aria-label')).toMatch(/, 0 failed$/)
  await page.getByText('Show as a table').click()
  const table = page.getByRole('region', { name: 'Response times' })
  const cells = () => table.getByRole('row').nth(1).getByRole('cell').allTextContents()
  await until('the table', async () => (await cells()).length > 0)
  expect((await cells()).slice(1, 5)).toEqual(['eu-west-1', '1', '0', '1'])
  const results = page.getByRole('list', { name: 'Results' })
  await results.getByText('Degraded', { exact: true }).waitFor()
  expect(await results.getByText('Failed').count()).toBe(0)
})

test('the chart tells under the pointer when, how long and where, and a click opens that result', async () => {
  const box = await chart().boundingBox()
  if (!box) throw new Error('The chart is not shown')
  const [left, right, y] = [box.x + 70, box.x + box.width - 30, box.y + box.height / 2]
  const tip = () =>
    history()
      .getByText(/^eu-west-1$/)
      .locator('..')
      .filter({ hasText: /ms|s/ })
      .filter({ hasText: '1 degraded' })
  await page.mouse.move(left, y)
  await page.mouse.move(right, y, { steps: 20 })
  await tip().waitFor()
  expect(await tip().textContent()).toMatch(/^eu-west-1\d[\d.]* m?s · 1 degraded$/)
  expect(await tip().locator('..').textContent()).toMatch(/\d{4}.*\d{1,2}:\d{2}:\d{2}.*(JST|GMT\+9)/)
  await page.mouse.click(right, y)
  await page.getByRole('heading', { level: 1, name: 'Result' }).waitFor()
  await page.goBack()
  await chart().waitFor()
})

test('pressing twice where Run now is runs twice: no control takes its place, and the message goes', async () => {
  const run = page.getByRole('button', { name: 'Run now' })
  const box = await run.boundingBox()
  if (!box) throw new Error('Run now is not shown')
  const said = () => page.getByText('A run was started')
  for (const times of [1, 2]) {
    // A button that still works on the first press leaves a second one out.
    await page.locator('button:not([aria-busy])', { hasText: 'Run now' }).waitFor()
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await until('the message', async () => (await said().count()) >= times)
  }
  expect(await run.boundingBox()).toEqual(box)
  const checks = await product.api<{ activated: boolean }[]>('GET', '/v1/checks')
  expect(checks.body.map(({ activated }) => activated)).toEqual([true])
  await page.mouse.move(0, 0)
  await until('the message to go', async () => {
    await page.clock.fastForward(1000)
    return (await said().count()) === 0
  })
  await history().getByText('3 degraded').waitFor()
  expect(pageErrors).toEqual([])
})
