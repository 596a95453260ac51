import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  expectAccessible,
  expectFitForThumbs,
  expectFocus,
  looks,
  openWindow,
  pageErrors,
  signIn,
  startBrowser,
  tabTo,
  takePicture,
  type Session,
} from './browser.ts'
import { removeDataDir, startProduct, type Product } from './product.ts'
import { startTarget, type WatchedTarget } from './target.ts'

// Configuration as files, snippets in forms, runs of groups, and triggers. The stories share one product.
let product: Product
let target: WatchedTarget
let browser: Browser
let session: Session
let page: Page

beforeAll(async () => {
  browser = await startBrowser()
  target = await startTarget(() => 'up')
  product = await startProduct()
  session = await signIn(browser, product)
  page = await openWindow(browser, { session })
})
afterAll(async () => {
  await browser.close()
  await product.stop()
  await target.stop()
  await removeDataDir(product.dataDir)
})

const namesOf = async (path: string): Promise<string[]> =>
  (await product.api<{ name: string }[]>('GET', path)).body.map(({ name }) => name).toSorted()

const panel = (name: string, on: Page = page) => on.getByRole('region', { name, exact: true })
const plan = (on: Page = page) => panel('Plan', on)
const textOf = (file: string) => page.getByLabel(file, { exact: true })
const makePlan = (on: Page = page) => on.getByRole('button', { name: 'Make the plan' }).click()
const url = (name: string, path = '/') => ({ name, frequency: 60, request: { url: `${target.url}${path}` } })

async function choose(files: readonly { name: string; text: string }[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose files' }).click()
  await (
    await chooser
  ).setFiles(files.map(({ name, text }) => ({ name, mimeType: 'text/yaml', buffer: Buffer.from(text) })))
}

/** Not below the screen, where nobody looks for it, nor under the bars above and below. */
async function expectInSight(told: Locator): Promise<void> {
  const isSeen = await told.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    const top = document.elementFromPoint(x + width / 2, y + height / 2)
    return element.contains(top)
  })
  expect(isSeen).toBe(true)
}

const checksFile = () => `checks:
  - name: Cart
    type: URL
    frequency: 7
    request:
      url: ${target.url}/cart
`
const variablesFile = 'variables:\n  - key: TOKEN\n    secret: true\n    value: { $env: SHOP_TOKEN }\n'

test('files are chosen, their problems gone to, mended, planned and applied, and nothing typed is lost', async () => {
  await product.create('/v1/checks/url', url('Old page'))
  await page.goto(`${product.url}/settings`)
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Files' }).click()
  await makePlan()
  await plan().getByText('The files are empty: there is nothing to import.').waitFor()
  await choose([
    { name: 'checks.yaml', text: `${checksFile()}  bad\n` },
    { name: 'variables.yaml', text: variablesFile },
  ])
  await makePlan()
  await plan().getByRole('button', { name: 'checks.yaml, line 7' }).waitFor()
  await textOf('checks.yaml').fill(checksFile())
  await page.getByLabel('SHOP_TOKEN').waitFor()
  await makePlan()
  // What the server refuses is placed as well, and its place is reached by the keyboard from any other file.
  const badFrequency = plan().getByRole('button', { name: 'checks.yaml, line 4' })
  await badFrequency.waitFor()
  await plan().getByText('names SHOP_TOKEN, for which no value was sent').waitFor()
  await page.getByRole('tab', { name: /^variables\.yaml/ }).click()
  await tabTo(page, badFrequency)
  await page.keyboard.press('Enter')
  await expectFocus(page, 'on the line of a problem')
  const chosenText = await textOf('checks.yaml').evaluate((area: HTMLTextAreaElement) =>
    area.value.slice(area.selectionStart, area.selectionEnd),
  )
  expect(chosenText).toBe('    frequency: 7')
  await page.keyboard.type('    frequency: 10')
  await page.reload()
  await page.getByText('what you typed before and did not save').waitFor()
  await page.getByLabel('SHOP_TOKEN').fill('hush-hush')
  await makePlan()
  await plan().getByText('2 to create, 0 to change, 0 to delete, 0 unchanged.').waitFor()
  await plan().getByRole('button', { name: 'Apply the plan' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply', exact: true }).click()
  await panel('Applied').getByText('2 created, 0 changed, 0 deleted, 0 unchanged.').waitFor()
  expect(await namesOf('/v1/checks')).toEqual(['Cart', 'Old page'])
  await page.reload()
  await page.getByRole('button', { name: 'Make the plan' }).waitFor()
  expect(await page.getByText('what you typed before').count()).toBe(0)
})

test('a plan shows what differs and names what is deleted, and one that is out of date is not applied', async () => {
  await page.goto(`${product.url}/settings/files`)
  await textOf('YAML or JSON').fill(checksFile().replace('frequency: 7', 'frequency: 30'))
  await page.getByLabel('Delete what is not in the files').check()
  await makePlan()
  await plan().getByText('0 to create, 1 to change, 1 to delete, 0 unchanged.').waitFor()
  const changed = plan().getByRole('listitem').filter({ hasText: 'Cart' })
  expect(await changed.getByRole('definition').innerText()).toMatch(/now\s+10\s+then\s+30/)
  await product.create('/v1/checks/url', url('Late page'))
  const apply = async () => {
    await plan().getByRole('button', { name: 'Apply the plan' }).click()
    const dialog = page.getByRole('dialog', { name: 'Apply the plan?' })
    const deleted = await dialog.getByRole('list', { name: 'Deleted' }).innerText()
    await dialog.getByRole('button', { name: /^Apply and delete/ }).click()
    return deleted.split('\n').toSorted()
  }
  expect(await apply()).toEqual(['check Old page'])
  await plan().getByText('Nothing was applied: something was changed since').waitFor()
  expect(await namesOf('/v1/checks')).toEqual(['Cart', 'Late page', 'Old page'])
  expect(await apply()).toEqual(['check Late page', 'check Old page'])
  await panel('Applied').getByText('0 created, 1 changed, 2 deleted, 0 unchanged.').waitFor()
  expect(await namesOf('/v1/checks')).toEqual(['Cart'])
  await makePlan()
  await plan().getByText('Nothing to do: 1 unchanged.').waitFor()
  await page.getByLabel('Delete what is not in the files').uncheck()
})

test('the configuration is downloaded, all of it or one kind', async () => {
  await page.goto(`${product.url}/settings/files`)
  const downloaded = async () => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const file = await download
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }
  const whole = await downloaded()
  expect(whole.name).toBe('vedette.yaml')
  expect(whole.text).toMatch(/^account:[^]*\nvariables:[^]*\$env: TOKEN[^]*\nchecks:\n {2}- name: Cart\n/)
  expect(whole.text).not.toContain('hush-hush')
  await page.getByLabel('What', { exact: true }).selectOption('Checks')
  await page.getByLabel('As', { exact: true }).selectOption('JSON')
  const checks = await downloaded()
  expect(checks.name).toBe('checks.json')
  expect(JSON.parse(checks.text)).toEqual({ checks: [expect.objectContaining({ name: 'Cart' })] })
  await page.getByLabel('What', { exact: true }).selectOption('Check groups')
  await page.getByRole('button', { name: 'Download' }).click()
  await page.getByText('There is nothing to download: the account has no check groups.').waitFor()
})

test('a snippet is chosen by its name in the forms of a check and of a group, and opened from there', async () => {
  await page.goto(`${product.url}/checks/new/api`)
  const setup = panel('Setup and teardown')
  await setup.getByRole('link', { name: 'Add a snippet' }).first().waitFor()
  const snippet = await product.create('/v1/snippets', { name: 'sign in', script: "request.headers['x-a'] = 'b'" })
  await page.reload()
  await setup.getByText('This version cannot run scripts.').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('With a setup')
  await page.getByLabel('URL', { exact: true }).fill(target.url)
  await setup.getByLabel('Setup snippet').selectOption('sign in')
  await setup.getByRole('tab', { name: 'Teardown script' }).click()
  await setup.getByLabel('Code after the request').fill('console.log(1)')
  await setup.getByRole('link', { name: 'Open sign in' }).click()
  await page.getByRole('dialog', { name: 'Edit sign in' }).waitFor()
  expect(new URL(page.url()).search).toBe(`?edit=${snippet}`)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.goto(`${product.url}/checks/new/api`)
  expect(await setup.getByLabel('Setup snippet').inputValue()).toBe(snippet)
  await page.getByRole('button', { name: 'Create check' }).click()
  await page.getByText('Cannot run').first().waitFor()
  await page.goto(`${product.url}/groups/new`)
  await page.getByLabel('Name', { exact: true }).fill('With a teardown')
  await page.getByLabel('Teardown snippet').selectOption('sign in')
  await page.getByRole('button', { name: 'Create group' }).click()
  await page.getByRole('link', { name: 'With a teardown', exact: true }).waitFor()
  type Fields = { setupSnippetId: number | null; tearDownSnippetId: number | null; localTearDownScript: string | null }
  const { body: checks } = await product.api<(Fields & { name: string })[]>('GET', '/v1/checks')
  expect(checks.find(({ name }) => name === 'With a setup')).toMatchObject({
    setupSnippetId: Number(snippet),
    tearDownSnippetId: null,
    localTearDownScript: 'console.log(1)',
  })
  const { body: groups } = await product.api<Fields[]>('GET', '/v1/check-groups')
  expect(groups[0]).toMatchObject({ setupSnippetId: null, tearDownSnippetId: Number(snippet) })
})

test('a group is run from its page and followed until all is over, and says when nothing in it can run', async () => {
  const group = Number(await product.create('/v2/check-groups', { name: 'Shop', concurrency: 1 }))
  await page.goto(`${product.url}/groups/${group}`)
  const run = page.getByRole('button', { name: 'Run now' })
  await run.click()
  await page.getByText('Nothing to run: Shop has no checks.').waitFor()
  await product.create('/v1/checks/url', { ...url('Paused page'), groupId: group, activated: false })
  await page.reload()
  await run.click()
  await page.getByText('Nothing in Shop can run').waitFor()
  await product.create('/v1/checks/url', { ...url('First page'), groupId: group })
  await product.create('/v1/checks/url', { ...url('Second page'), groupId: group })
  await page.reload()
  await tabTo(page, run)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Run of Shop' }).waitFor()
  await page.getByText('2 checks, all over: 2 passed.').waitFor()
  await page.getByText('1 check of the group did not run').waitFor()
  const list = page.getByRole('list', { name: 'Checks of this run' })
  expect(await list.getByRole('link').allInnerTexts()).toEqual(['First page', 'Second page'])
  await page.reload()
  await list.getByRole('link', { name: 'First page' }).click()
  await page.getByRole('heading', { level: 1, name: 'Session of First page' }).waitFor()
})

test('the address of a check is made, called without a key, and revoked; a group has one too', async () => {
  const check = await product.create('/v1/checks/url', url('Called page'))
  await page.goto(`${product.url}/checks/${check}`)
  const trigger = panel('Trigger')
  await trigger.getByText('an address that runs this check', { exact: false }).waitFor()
  await tabTo(page, trigger.getByRole('button', { name: 'Make an address' }))
  await page.keyboard.press('Enter')
  await trigger.getByText('last called never').waitFor()
  await expectFocus(page, 'after the address was made')
  const command = await trigger.locator('code').first().innerText()
  const address = /http\S+$/.exec(command)?.[0] ?? ''
  const answer = await fetch(address, { method: 'POST' })
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ hasFailures: false })])
  await page.reload()
  await trigger.getByText('last called').waitFor()
  expect(await trigger.getByText('last called never').count()).toBe(0)
  await trigger.getByRole('button', { name: 'Revoke' }).click()
  await trigger.getByRole('button', { name: 'Make an address' }).waitFor()
  expect((await fetch(address, { method: 'POST' })).status).toBe(404)
  const { body: groups } = await product.api<{ id: number; name: string }[]>('GET', '/v1/check-groups')
  await page.goto(`${product.url}/groups/${groups.find(({ name }) => name === 'Shop')?.id}`)
  await trigger.getByRole('button', { name: 'Make an address' }).click()
  const ofGroup = /http\S+$/.exec(await trigger.locator('code').first().innerText())?.[0] ?? ''
  expect(await (await fetch(ofGroup)).json()).toMatchObject({ hasFailures: false, sessions: [{}, {}] })
  const heartbeat = await product.create('/v1/checks/heartbeat', {
    name: 'Backup',
    heartbeat: { period: 1, periodUnit: 'days', grace: 1, graceUnit: 'hours' },
  })
  await page.goto(`${product.url}/checks/${heartbeat}`)
  await panel('About this check').waitFor()
  expect(await trigger.count()).toBe(0)
  expect(pageErrors).toEqual([])
})

test.each(looks)(
  'all of it is accessible and fits at $width px in the $theme theme',
  async (look) => {
    const { body: groups } = await product.api<{ id: number; name: string }[]>('GET', '/v1/check-groups')
    const shop = groups.find(({ name }) => name === 'Shop')?.id
    const { body: sessions } = await product.api<{ startedAt: string; runSource: string }[]>(
      'GET',
      '/v2/check-sessions',
    )
    const startedAt = sessions.find(({ runSource }) => runSource === 'GROUP_RUN_ALL')?.startedAt ?? ''
    const on = await openWindow(browser, { ...look, session })
    const see = async (name: string) => {
      const where = `${name}-${look.width}-${look.theme}`
      await takePicture(on, where)
      await expectAccessible(on, where)
      if (look.width === 390) await expectFitForThumbs(on, where)
    }
    await on.goto(`${product.url}/settings/files`)
    const text = on.getByLabel('YAML or JSON')
    await text.fill(
      `${checksFile()}  - name: A page with a name that is rather long for a phone\n    type: URL\n${variablesFile}`,
    )
    await on.getByLabel('SHOP_TOKEN').waitFor()
    await makePlan(on)
    await plan(on).getByRole('list', { name: 'Problems' }).waitFor()
    await see('files-problems')
    await text.fill(
      checksFile()
        .replace('frequency: 7', 'frequency: 60')
        .replace('/cart', `/cart?${'long='.repeat(80)}`),
    )
    await on.getByLabel('Delete what is not in the files').check()
    await makePlan(on)
    await plan(on).getByRole('list', { name: 'Plan' }).waitFor()
    await expectInSight(plan(on).getByRole('status'))
    await see('files-plan')
    await on.getByRole('button', { name: 'Apply the plan' }).click()
    await on.getByRole('dialog').waitFor()
    await see('files-apply')
    await on.goto(`${product.url}/checks/new/api`)
    await on.getByLabel('Setup snippet').selectOption('sign in')
    await see('check-setup')
    await on.goto(`${product.url}/groups/${shop}`)
    await panel('Trigger', on).getByRole('button', { name: 'Revoke' }).waitFor()
    await see('group-edit')
    await on.goto(`${product.url}/groups/${shop}/runs/${encodeURIComponent(startedAt)}`)
    await on.getByRole('list', { name: 'Checks of this run' }).waitFor()
    await see('group-run')
    const { body: checks } = await product.api<{ id: string; name: string }[]>('GET', '/v1/checks')
    const first = checks.find(({ name }) => name === 'First page')?.id
    // Each look after the first finds that it has one.
    await product.api('POST', `/v1/triggers/checks/${first}`, {})
    await on.goto(`${product.url}/checks/${first}`)
    await panel('Trigger', on).getByRole('button', { name: 'Revoke' }).waitFor()
    await panel('About this check', on).getByRole('link', { name: 'Shop' }).waitFor()
    await on
      .getByRole('status', { name: /^Reading/ })
      .first()
      .waitFor({ state: 'detached' })
    await see('check-trigger')
    await on.context().close()
  },
  90_000,
)
