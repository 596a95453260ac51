import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeAt, stepAt } from '../packages/server/src/sign-in/totp.ts'
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

let product: Product
let browser: Browser
let session: Session

const password = 'a long enough password'
const email = 'ann@example.test'

beforeAll(async () => {
  browser = await startBrowser()
  product = await startProduct()
  session = await signIn(browser, product)
})

afterAll(async () => {
  await browser.close()
  await product.stop()
  await removeDataDir(product.dataDir)
})

const open = async (path: string, as?: Session): Promise<Page> => {
  const page = await openWindow(browser, { session: as })
  await page.goto(`${product.url}${path}`)
  return page
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (sign) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'))
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

test('a person is invited, joins by the link, sets up a second factor, signs in with it, and is taken out', async () => {
  const admin = await open('/settings/members', session)
  await admin.getByLabel('E-mail', { exact: true }).fill(email)
  await admin.getByLabel('Role', { exact: true }).selectOption({ label: 'Admin' })
  await admin.getByRole('button', { name: 'Invite' }).click()
  const link = await admin.locator('code', { hasText: '/join?token=' }).innerText()
  await admin.getByText('invited', { exact: true }).waitFor()

  const ann = await openWindow(browser, {})
  await ann.goto(link)
  await ann.getByLabel('Your name').fill('Ann')
  await ann.getByLabel('Choose a password').fill(password)
  await takePicture(ann, 'join-new')
  await ann.getByRole('button', { name: 'Join' }).click()
  await ann.getByRole('navigation', { name: 'Main' }).waitFor()

  await ann.goto(`${product.url}/settings`)
  await ann.getByLabel('Your password').fill(password)
  await ann.getByRole('button', { name: 'Set up' }).click()
  const image = ann.getByRole('img', { name: /QR code/ })
  await image.waitFor()
  expect(await image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0)
  const secret = fromBase32(await ann.locator('code', { hasText: /^[A-Z2-7]{32}$/ }).innerText())
  await takePicture(ann, 'second-factor')
  await expectAccessible(ann, 'second-factor')
  await ann.getByLabel('Code').fill(codeAt(secret, stepAt(Date.now())))
  await ann.getByRole('button', { name: 'Turn on' }).click()
  const codes = (await ann.locator('code', { hasText: /^([A-Z2-7]{4}-){3}[A-Z2-7]{4}/ }).innerText()).split('\n')
  expect(codes).toHaveLength(10)
  await ann.getByRole('button', { name: 'I have kept them' }).click()

  const again = await open('/sign-in')
  await again.getByLabel('E-mail').fill(email)
  await again.getByLabel('Password').fill(password)
  await again.getByRole('button', { name: 'Sign in' }).click()
  await again.getByLabel('Code').fill(codes[0] ?? '')
  await takePicture(again, 'sign-in-code')
  await again.getByRole('button', { name: 'Sign in' }).click()
  await again.getByRole('navigation', { name: 'Main' }).waitFor()

  await admin.reload()
  await admin.getByLabel(`Role of ${email}`).selectOption({ label: 'Reader' })
  await admin.getByText(`${email} is reader now.`).waitFor()
  await admin.getByRole('button', { name: `Take out ${email}` }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Take out' }).click()
  await admin.getByLabel(`Role of ${email}`).waitFor({ state: 'detached' })
  await again.reload()
  await again.getByRole('heading', { name: 'Sign in to Vedette' }).waitFor()
  await admin.goto(`${product.url}/settings/audit-log`)
  await admin.getByText('deleted members').waitFor()
  for (const page of [admin, ann, again]) await page.context().close()
  expect(pageErrors).toEqual([])
})

test('the operator creates an account, works in none of it, and suspends and resumes it', async () => {
  const admin = await open('/settings/accounts', session)
  await admin.getByLabel('Name', { exact: true }).fill('Shop team')
  await admin.getByLabel('E-mail of its owner').fill('ben@example.test')
  await admin.getByRole('button', { name: 'Create account' }).click()
  const link = await admin.locator('code', { hasText: '/join?token=' }).innerText()
  const ben = await openWindow(browser, {})
  await ben.goto(link)
  await ben.getByLabel('Your name').fill('Ben')
  await ben.getByLabel('Choose a password').fill(password)
  await ben.getByRole('button', { name: 'Join' }).click()
  await ben.getByRole('navigation', { name: 'Main' }).waitFor()
  await admin.getByRole('button', { name: 'Suspend Shop team' }).click()
  await admin.getByRole('button', { name: 'Resume Shop team' }).waitFor()
  await ben.reload()
  await ben.getByRole('heading', { name: 'Shop team is suspended' }).waitFor()
  await takePicture(ben, 'suspended')
  await expectAccessible(ben, 'suspended')
  await admin.getByRole('button', { name: 'Resume Shop team' }).click()
  await admin.getByRole('button', { name: 'Suspend Shop team' }).waitFor()
  await ben.reload()
  await ben.getByRole('navigation', { name: 'Main' }).waitFor()
  for (const page of [admin, ben]) await page.context().close()
})

test.each(looks)(
  'the pages of people are accessible and fit at $width px in the $theme theme',
  async (look) => {
    await product.api('POST', '/v1/accounts/me/members', {
      email: `a-person-with-a-rather-long-address-${look.width}-${look.theme}@a-department.example.org`,
      role: 'READ_WRITE',
    })
    const page = await openWindow(browser, { ...look, session })
    for (const name of ['', '/members', '/keys', '/accounts', '/audit-log']) {
      await page.goto(`${product.url}/settings${name}`)
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Accounts' }).waitFor()
      await page.getByRole('status', { name: /^Reading/ }).waitFor({ state: 'detached' })
      const where = `settings${name.replace('/', '-')}-${look.width}-${look.theme}`
      await takePicture(page, where)
      await expectAccessible(page, where)
      if (look.width === 390) await expectFitForThumbs(page, where)
    }
    await page.context().close()
  },
  60_000,
)
