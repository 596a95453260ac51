import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from '@playwright/test'
import { expect } from 'vitest'
import { findChromium } from '../scripts/find-chromium.mjs'
import { root, until, type Product } from './product.ts'

export const widths = [1440, 390] as const
export const themes = ['light', 'dark'] as const
export interface Look {
  width: (typeof widths)[number]
  theme: (typeof themes)[number]
}
export const looks: readonly Look[] = widths.flatMap((width) => themes.map((theme) => ({ width, theme })))
const heights = { 1440: 900, 390: 844 } as const

export function startBrowser(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('The stories need a Chromium; CHROMIUM_PATH may name one.')
  // Chromium cannot use its sandbox as root.
  return process.getuid?.() === 0
    ? chromium.launch({ executablePath, args: ['--no-sandbox'] })
    : chromium.launch({ executablePath, chromiumSandbox: true })
}

export type Session = Awaited<ReturnType<BrowserContext['storageState']>>

/** Errors that pages threw and violations of their content policy. Each story expects this to be empty at its end. */
export const pageErrors: string[] = []

/** Opens the app in a new browser profile. */
export async function openWindow(
  browser: Browser,
  options: Partial<Look> & { session?: Session | undefined },
): Promise<Page> {
  const { width = 1440, theme = 'light', session } = options
  const context = await browser.newContext({
    viewport: { width, height: heights[width] },
    hasTouch: width === 390,
    colorScheme: theme,
    reducedMotion: 'reduce',
    // A zone that is never UTC, so that times that ignore the zone differ.
    timezoneId: 'Asia/Tokyo',
    ...(session && { storageState: session }),
  })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  page.on('pageerror', (error) => void pageErrors.push(String(error)))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) pageErrors.push(message.text())
  })
  return page
}

/** Signs in by the one-time link, which works once for each start of the product. */
export async function signIn(browser: Browser, product: Product): Promise<Session> {
  const page = await openWindow(browser, {})
  await page.goto(product.signInLink)
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  const session = await page.context().storageState()
  await page.context().close()
  return session
}

/** Gives whoever is signed in on the page a password. */
export async function setPassword(page: Page, password: string): Promise<void> {
  const answer = await page.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch('/session/password', { method: 'PUT', headers, body })).status
  }, JSON.stringify({ password }))
  expect(answer).toBe(204)
}

/** The addresses with this in them that the page asks for from now on. */
export function requestsTo(page: Page, part: string): () => readonly string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes(part)) asked.push(request.url())
  })
  return () => asked
}

/** Takes back what a message says was done. */
export const undo = (page: Page, said: string | RegExp) =>
  page.getByText(said).locator('..').getByRole('button', { name: 'Undo' }).click()

/** Moves the focus to a control by the Tab key. No control on the way may be covered while it has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let step = 0; step < 120; step++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
    expect(await page.evaluate(hiddenFocus)).toBe('')
  }
  throw new Error('Tab never reached the control')
}

/** Runs in the page. Returns the focused control if another element covers its middle. */
function hiddenFocus(): string {
  const focused = document.activeElement
  if (!focused || focused === document.body) return ''
  const box = focused.getBoundingClientRect()
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
  return focused.contains(top) || top?.contains(focused)
    ? ''
    : `${focused.textContent}: ${focused.outerHTML.slice(0, 200)}`
}

/** Expects that the focus is somewhere, in sight, uncovered and marked. Menus and pages that were just opened mark nothing. */
export async function expectFocus(page: Page, where: string): Promise<void> {
  let trouble = ''
  await until(`the focus ${where}`, async () => (trouble = await page.evaluate(focusTrouble)) === '', 5000).catch(
    () => {
      throw new Error(`The focus ${where}: ${trouble}`)
    },
  )
  // The middle of a page may be below the screen.
  const isOnPage = await page.evaluate(() => document.activeElement?.matches('main'))
  if (!isOnPage) expect(await page.evaluate(hiddenFocus), where).toBe('')
}

/** Runs in the page. */
function focusTrouble(): string {
  const focused = document.activeElement
  if (!focused || focused === document.body) return 'is lost'
  const box = focused.getBoundingClientRect()
  if (box.bottom <= 0 || box.top >= innerHeight) return `is out of sight: ${focused.outerHTML.slice(0, 200)}`
  const isMarked = [undefined, '::after'].some((part) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(focused, part)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1
  })
  const marksItself = focused.matches('main, [role=dialog], [role=menu], [data-highlighted]')
  return isMarked || marksItself ? '' : `is not marked: ${focused.outerHTML.slice(0, 200)}`
}

/** Of the component library: whatever reaches one is sent on at once, so nobody's focus stays on it. */
const focusGuards = '[data-base-ui-focus-guard]'

/** Expects no violation of WCAG 2.2, levels A and AA. `without`: rules that are left out. */
export async function expectAccessible(page: Page, where: string, without: string[] = []): Promise<void> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  const { violations } = await new AxeBuilder({ page })
    .withTags(tags)
    .disableRules(without)
    .exclude(focusGuards)
    .analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)
  expect(found, where).toEqual([])
}

/** Expects no horizontal scrolling, and controls at least 44 px high. Links within text may be smaller. */
export async function expectFitForThumbs(page: Page, where: string): Promise<void> {
  const { overflow, small } = await page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary')
    const tooSmall = [...controls].filter((control) => {
      // A click on the label counts as one on the checkbox.
      // So does one anywhere on a row count as one on its link.
      const around = control.matches('[type=checkbox]')
        ? 'label'
        : control.matches('[data-check-row]')
          ? '[role=listitem]'
          : ''
      const target = (around !== '' && control.closest(around)) || control
      const box = target.getBoundingClientRect()
      const isShown = box.width > 1 && box.height > 1 && control.checkVisibility()
      return isShown && box.height < 43.5 && !control.matches('p a')
    })
    return {
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      small: tooSmall.map((control) => control.outerHTML.slice(0, 140)),
    }
  })
  expect(overflow, `${where}: pixels to scroll sideways`).toBe(0)
  expect(small, `${where}: smaller than 44 px`).toEqual([])
}

export async function takePicture(page: Page, name: string, fullPage = true): Promise<void> {
  const folder = join(root, 'artifacts', 'screenshots')
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage, animations: 'disabled' })
}
