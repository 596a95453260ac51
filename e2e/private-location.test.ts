import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSpoolDir, removeSpoolDir, startAgent, type SeparateAgent } from './agent.ts'
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
import { betweenResultReads, removeDataDir, startProduct, until, type Product } from './product.ts'
import { startTarget, type WatchedTarget } from './target.ts'

// A private location from its creation on its page to the change of its key, with agents as people start them.

let product: Product
let target: WatchedTarget
let browser: Browser
let session: Session
let page: Page
let checkId: string
let firstKey: string
let secondKey: string
const agents: SeparateAgent[] = []
const spools: string[] = []

beforeAll(async () => {
  browser = await startBrowser()
  target = await startTarget(() => 'up')
  product = await startProduct()
  session = await signIn(browser, product)
  page = await openWindow(browser, { session })
})
afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.stop()))
  await browser.close()
  await product.stop()
  await target.stop()
  await Promise.all([removeDataDir(product.dataDir), ...spools.map(removeSpoolDir)])
})

async function agentWith(key: string): Promise<SeparateAgent> {
  const spoolDir = await newSpoolDir()
  spools.push(spoolDir)
  const agent = await startAgent({ url: product.url, key, spoolDir })
  agents.push(agent)
  return agent
}

/** The key in the command that the page shows. */
async function shownKey(part: Page | ReturnType<Page['getByRole']>): Promise<string> {
  const command = await part.getByText(/API_KEY=vdl_\S+ npx/).textContent()
  return /API_KEY=(\S+)/.exec(command ?? '')?.[1] ?? ''
}

/** The status of the agent's readiness, by the port that its log names. */
async function readinessOf(agent: SeparateAgent): Promise<number> {
  const [, port] = /"healthPort":(\d+)/.exec(agent.output()) ?? []
  return (await fetch(`http://127.0.0.1:${port}/-/readiness`)).status
}

const panel = (name: string) => page.getByRole('region', { name, exact: true })
const agentRows = () => panel('Agents').getByRole('listitem')

test('is made with a key, and its page shows the agent that is started with it, what it can do, and what runs there', async () => {
  await page.goto(`${product.url}/locations`)
  await page.getByRole('button', { name: 'New private location' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Office')
  await page.getByRole('button', { name: 'Add location' }).click()
  await page.getByRole('heading', { level: 1, name: 'Office' }).waitFor()
  firstKey = await shownKey(page)
  for (const [way, part] of [
    ['Docker', /docker run .*API_KEY=vdl_/],
    ['systemd', /API_KEY=%s.*systemctl enable --now vedette-agent/],
  ] as const) {
    await page.getByRole('tab', { name: way }).click()
    await page.getByText(part).waitFor()
  }
  await agentWith(firstKey)
  await agentRows()
    .getByText(/Version \d+\.\d+\.\d+/)
    .waitFor()
  await panel('Agents')
    .getByText(/^\d+ of \d+$/)
    .waitFor()
  await agentRows().getByText('ping', { exact: true }).waitFor()

  const made = await product.api<{ id: string }>('POST', '/v1/checks/api', {
    name: 'Intranet',
    privateLocations: ['office'],
    locations: [],
    frequency: 0,
    frequencyOffset: 10,
    request: { url: target.url },
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  checkId = made.body.id
  await page.reload()
  await panel('What runs here').getByRole('link', { name: 'Intranet' }).waitFor()
  expect(await page.getByText(/vdl_/).count()).toBe(0)
})

test('has two keys at most: the second one comes before the first one goes', async () => {
  await panel('Keys of its agents').getByRole('button', { name: 'Make another key' }).click()
  secondKey = await shownKey(panel('Keys of its agents'))
  expect(secondKey).not.toBe(firstKey)
  const [, id = ''] = /locations\/([0-9a-f-]+)/.exec(page.url()) ?? []
  const third = await product.api<{ message: string }>('POST', `/v1/private-locations/${id}/keys`)
  expect([third.status, third.body.message]).toEqual([409, expect.stringContaining('There are 2 keys already')])
})

test('keeps its agents off the management API, and callers of the API off the protocol of agents', async () => {
  const asAgent = await fetch(`${product.url}/v1/checks`, { headers: { authorization: `Bearer ${firstKey}` } })
  expect(asAgent.status).toBe(401)
  const lease = { agentId: '00000000-0000-4000-8000-000000000001', free: { network: 1 }, waitMs: 0 }
  const asCaller = await fetch(`${product.url}/agent/v2/lease`, {
    method: 'POST',
    headers: { authorization: `Bearer ${product.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(lease),
  })
  expect(asCaller.status).toBe(401)
})

test('changes its key without a gap, and an agent with the old key is not ready any more', async () => {
  const [old] = agents
  if (old === undefined) throw new Error('the first agent was started')
  expect(await readinessOf(old)).toBe(200)
  await agentWith(secondKey)
  await expectRows(2)
  const [oldest] = await panel('Keys of its agents')
    .getByRole('button', { name: /^Delete the key/ })
    .all()
  await oldest?.click()
  await until('the old agent not to be ready', async () => (await readinessOf(old)) === 503, 15_000)
  await expectRows(1)
  const results = await resultsAfter(5)
  expect(results.filter(({ hasErrors, hasFailures }) => hasErrors || hasFailures)).toEqual([])
  // The first run is that of the creation, out of turn.
  const ticks = results.slice(1).map(({ checkRunId }) => checkRunId)
  const steps = ticks.slice(1).map((at, before) => at - (ticks[before] ?? 0))
  expect(new Set(steps)).toEqual(new Set([10_000]))
})

interface Result {
  hasErrors: boolean
  hasFailures: boolean
  /** When it was due. */
  checkRunId: number
}

/** The results of the check, the oldest first, when there are so many more than now. */
async function resultsAfter(more: number): Promise<Result[]> {
  const read = async () => {
    const { body } = await product.api<{ entries: Result[] }>('GET', `/v2/check-results/${checkId}?limit=100`)
    return body.entries.toSorted((a, b) => a.checkRunId - b.checkRunId)
  }
  const wanted = (await read()).length + more
  return until(
    `${wanted} results`,
    async () => {
      const results = await read()
      return results.length >= wanted ? results : undefined
    },
    90_000,
    betweenResultReads,
  )
}

const expectRows = (count: number) =>
  until(`${count} agents on the page`, async () => (await agentRows().count()) === count, 30_000)

test.each(looks)('has a page that can be read at $width px in $theme', async (look) => {
  const window = await openWindow(browser, { ...look, session })
  await window.goto(page.url())
  await window.getByText('runs waiting').waitFor({ timeout: 90_000 })
  const where = `private-location-with-agents-${look.width}-${look.theme}`
  await takePicture(window, where)
  await expectAccessible(window, where)
  if (look.width === 390) await expectFitForThumbs(window, where)
  await window.context().close()
  expect(pageErrors).toEqual([])
})
