import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openWindow, pageErrors, signIn, startBrowser, type Session } from './browser.ts'
import { startLine, type Line } from './line.ts'
import { removeDataDir, startProduct, until, type Product } from './product.ts'
import { startTarget, type WatchedTarget } from './target.ts'

// Each story opens a page over a line that is whole. The clock of the page is put forward instead of waiting.
let product: Product
let target: WatchedTarget
let line: Line
let browser: Browser
let session: Session
let page: Page

const signal = (text: string) => page.getByRole('status').filter({ hasText: text }).first()
const openHealth = () => page.getByTitle('Health of Vedette').click()
const goTo = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
const awaited = () => page.getByText('It opens by itself when the server answers').first()
const rows = () => page.getByRole('list', { name: 'Checks' }).getByRole('listitem')

beforeAll(async () => {
  browser = await startBrowser()
  target = await startTarget(() => 'up')
  product = await startProduct()
  for (const name of ['Front page', 'Search'])
    await product.api('POST', '/v1/checks/api', { name, locations: ['eu-west-1'], request: { url: target.url } })
  const counts = async () =>
    (await product.api<{ counts: Record<string, number> }>('GET', '/v1/overview?with=counts')).body.counts
  await until('both checks to pass', async () => (await counts())['passing'] === 2)
  session = await signIn(browser, product)
  line = await startLine(product.url)
})
beforeEach(async () => {
  await line.mend()
  if (page !== undefined) await page.context().close()
  page = await openWindow(browser, { session })
  await page.clock.install()
  await page.goto(line.url)
  await rows().getByText('Passing').nth(2).waitFor()
  await signal('Live').waitFor()
})
afterAll(async () => {
  await browser.close()
  await line.stop()
  await product.stop()
  await target.stop()
  await removeDataDir(product.dataDir)
})

test('a line that falls silent is delayed after eight seconds, lost after thirteen, and no row changes its size', async () => {
  const sizes = () => rows().evaluateAll((all) => all.map((row) => JSON.stringify(row.getBoundingClientRect())))
  const before = await sizes()
  line.fallSilent()
  await page.clock.fastForward(8_100)
  await signal('Delayed').waitFor()
  await page.clock.fastForward(5_000)
  await signal('Cut off from the server').waitFor()
  await rows().getByText('Was passing').nth(1).waitFor()
  await page.getByRole('heading', { name: 'Last known: all is well: all 2 checks pass' }).waitFor()
  expect(await sizes()).toEqual(before)
  await line.mend()
  await signal('Live').waitFor()
  await page.getByRole('heading', { name: 'All is well: all 2 checks pass' }).waitFor()
})

test('while the server stays away the page asks for it ever more rarely', async () => {
  const tries: number[] = []
  page.on('request', (request) => void (request.url().endsWith('/v1/live') && tries.push(1)))
  let failed = 0
  page.on('requestfailed', (request) => void (request.url().endsWith('/v1/live') && failed++))
  const settled = (more: number) =>
    until('the tries to fail', () => Promise.resolve(tries.length > more && failed >= tries.length), 15_000)
  await line.cut()
  await signal('Cut off from the server').waitFor()
  for (let minute = 0; minute < 6; minute++) {
    const sofar = tries.length
    await page.clock.fastForward(60_000)
    await settled(sofar)
  }
  const sofar = tries.length
  await page.clock.fastForward(16_000)
  await settled(sofar)
  const before = tries.length
  await page.clock.fastForward(4_000)
  expect(await page.title()).toMatch(/^\(\?\)/)
  expect(tries.length).toBe(before)
  await page.clock.fastForward(12_000)
  await until('the next try', () => Promise.resolve(tries.length > before), 15_000)
})

test('the app opens whole while the server is away, once it had time to fetch its parts', async () => {
  const fetched = new Set<string>()
  page.on('requestfinished', (request) => void fetched.add(new URL(request.url()).pathname))
  await page.reload()
  await signal('Live').waitFor()
  const parts = (await (await page.request.get(`${line.url}/parts.json`)).json()) as string[]
  await until('all parts to be fetched', () => Promise.resolve(parts.every((part) => fetched.has(part))), 30_000)
  await line.cut()
  await signal('Cut off from the server').waitFor()
  await openHealth()
  await page.getByRole('dialog', { name: 'Health of Vedette' }).getByText('This page is cut off').waitFor()
  await page.keyboard.press('Escape')
  await goTo('Variables')
  await page.getByRole('heading', { level: 1, name: 'Variables' }).waitFor()
  await goTo('Checks')
  await rows().getByText('Was passing').first().waitFor()
  await page.getByRole('link', { name: 'Front page' }).click()
  await line.mend()
  await page.getByRole('heading', { level: 1, name: 'Front page' }).waitFor()
  await page.getByRole('region', { name: 'Verdict' }).getByText('Passing', { exact: true }).waitFor()
  await page.getByRole('img', { name: /Response time of \d+ runs?/ }).waitFor()
})

test('a part that broke off half-way is fetched again, and no error is left of it', async () => {
  let asked = 0
  const breaking = createServer((_, response) => {
    asked++
    response.writeHead(200, { 'content-length': 1000 })
    response.write('half', () => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(breaking, 'listening')
  const url = `http://127.0.0.1:${(breaking.address() as AddressInfo).port}/`
  await page.route(/variables-page/, (route) => (asked === 0 ? route.continue({ url }) : route.continue()))
  let whole = 0
  page.on('response', async (response) => {
    if (response.url().includes('variables-page') && (await response.finished()) === null) whole++
  })
  await page.reload()
  await until('the part to break off', () => Promise.resolve(asked === 1), 30_000)
  await page.clock.fastForward(6_000)
  await until('the whole part', () => Promise.resolve(whole === 1), 30_000)
  breaking.close()
  expect(pageErrors).toEqual([])
})

test('a page that was asked for while the server is away says so, and opens when it is back', async () => {
  await line.cut()
  await signal('Cut off from the server').waitFor()
  await goTo('Variables')
  await awaited().waitFor()
  await line.mend()
  await page.getByRole('heading', { level: 1, name: 'Variables' }).waitFor()
})

test('a page whose files failed before anybody knew that the server is away opens when it is back', async () => {
  await page.route(/variables-page/, (route) => route.abort())
  await goTo('Variables')
  await page.getByRole('status', { name: 'Opening the page' }).waitFor()
  await page.unroute(/variables-page/)
  await page.clock.fastForward(5_000)
  await page.getByRole('heading', { level: 1, name: 'Variables' }).waitFor()
})

test('a dialog that was asked for while the server is away says so, and opens when it is back', async () => {
  // Asked for after the parts that every page draws.
  const asked = page.waitForRequest(/parts\.json/)
  await page.route(/parts\.json/, (route) => route.abort())
  await page.reload()
  await asked
  await line.cut()
  await signal('Cut off from the server').waitFor()
  await page.keyboard.press('Control+k')
  await awaited().waitFor()
  await line.mend()
  await page.getByRole('combobox', { name: 'Go to a check, a page or an action' }).waitFor()
})

test('no error of the time without the server is left when it is back', async () => {
  await page.getByRole('link', { name: 'Front page' }).click()
  await page.getByRole('region', { name: 'Verdict' }).getByText('Passing', { exact: true }).waitFor()
  await page.getByText('View result').waitFor()
  await line.cut()
  await signal('Cut off from the server').waitFor()
  await page.getByRole('button', { name: '24 h', exact: true }).click()
  await page.getByRole('button', { name: 'Run now' }).click()
  const faults = () => page.getByText('The server did not answer.')
  await page.clock.fastForward(2_000)
  await page.clock.fastForward(4_000)
  await page.getByRole('alert').filter({ hasText: 'did not answer' }).first().waitFor()
  await line.mend()
  await signal('Live').waitFor()
  await page.getByRole('button', { name: 'Run now' }).click()
  await page.getByText('A run was started').first().waitFor()
  await until('no fault', async () => (await faults().count()) === 0, 15_000)
})

test('an app that could not ask who is signed in asks again by itself', async () => {
  await page.route('**/session', (route) => route.abort())
  await page.reload()
  await page.getByText('The server did not answer').waitFor({ timeout: 30_000 })
  await page.unroute('**/session')
  await signal('Live').waitFor()
})

test('a server that was killed and started again: states turn grey, and are those of now when it is back', async () => {
  await page.getByRole('link', { name: 'Front page' }).click()
  const verdict = page.getByRole('region', { name: 'Verdict' })
  await verdict.getByText('Passing', { exact: true }).waitFor()
  const colour = () =>
    verdict
      .locator('span')
      .first()
      .evaluate((badge) => getComputedStyle(badge).color)
  const green = await colour()
  await product.kill()
  await signal('Cut off from the server').waitFor()
  await verdict.getByText('Was passing').waitFor()
  await verdict.getByText('this is the last known state, not the present one').waitFor()
  expect(await colour()).not.toBe(green)
  product = await startProduct({ dataDir: product.dataDir, env: { VEDETTE_PORT: new URL(product.url).port } })
  await signal('Live').waitFor({ timeout: 30_000 })
  await verdict.getByText('Passing', { exact: true }).waitFor({ timeout: 30_000 })
  expect(pageErrors).toEqual([])
})
