import { readFile } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, openWindow, pageErrors, signIn, startBrowser } from './browser.ts'
import { freePort } from './free-port.ts'
import { betweenResultReads, removeDataDir, startProduct, until, type Product } from './product.ts'

// A check whose target refuses connections. The agent needs mtr-packet and a tcpdump that may capture.
let product: Product
let browser: Browser
let page: Page
let port: number
let checkId: string
let resultId: string

beforeAll(async () => {
  browser = await startBrowser()
  product = await startProduct()
  port = await freePort()
  page = await openWindow(browser, { session: await signIn(browser, product) })
  const request = { url: `http://127.0.0.1:${port}/` }
  const check = {
    name: 'Refused',
    frequency: 1440,
    locations: ['eu-west-1'],
    request,
    doubleCheck: false,
  }
  checkId = (await product.api<{ id: string }>('POST', '/v1/checks/api', check)).body.id
  resultId = await until(
    'a result',
    async () => {
      const { body } = await product.api<{ entries: { id: string }[] }>('GET', `/v2/check-results/${checkId}?fields=id`)
      return body.entries[0]?.id
    },
    60_000,
    betweenResultReads,
  )
})
afterAll(async () => {
  await browser.close()
  await product.stop()
  await removeDataDir(product.dataDir)
})

test('the page of a failed run shows the way to its target and its packets as soon as they are there', async () => {
  await page.goto(`${product.url}/checks/${checkId}/results/${resultId}`)
  const panel = page.getByRole('region', { name: 'Way to the target' })
  await panel.getByText(`TCP to 127.0.0.1, port ${port}: it answers after 1 hop`).waitFor()
  const row = panel.getByRole('table', { name: 'Traceroute' }).getByRole('row').nth(1)
  expect((await row.getByRole('cell').allTextContents()).slice(0, 3)).toEqual(['1', '127.0.0.1', '0 %'])
  const [download] = await Promise.all([page.waitForEvent('download'), panel.getByText('Packet capture').click()])
  expect(download.suggestedFilename()).toBe(`${resultId}-capture.pcap`)
  const file = await readFile(await download.path())
  expect(file.readUInt32LE(0)).toBe(0xa1b2c3d4)
  await expectAccessible(page, 'the result of a refused run')
  expect(pageErrors).toEqual([])
})

test('the API names the file, and keeps it to those who may read', async () => {
  const { body } = await product.api<{ apiCheckResult: { pcapDataUrl: string } }>(
    'GET',
    `/v1/check-results/${checkId}/${resultId}`,
  )
  const { pcapDataUrl } = body.apiCheckResult
  expect(pcapDataUrl).toBe(`${product.url}/v1/check-results/${checkId}/${resultId}/assets/capture.pcap`)
  expect((await fetch(pcapDataUrl)).status).toBe(401)
})
