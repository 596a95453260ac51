import { openWindow } from '../../e2e/browser.ts'
import { quantile } from '../readings/statistics.ts'
import type { BenchRow } from '../row.ts'
import { bar, type Visit } from './visit.ts'

const scrolls = 60

/** How soon the page answers to keys, presses and scrolling with ten thousand checks. */
export async function measureInteractions({ browser, product, session }: Visit): Promise<BenchRow[]> {
  const page = await openWindow(browser, { session })
  await page.goto(product.url)
  // Folded, so that the head of the section of the many is on the screen.
  await page.getByRole('button', { name: /^Passing/ }).click()
  const many = page.getByRole('button', { name: /^Paused/ })
  await many.waitFor()
  if ((await many.getAttribute('aria-expanded')) !== 'true') await many.click()
  await page.getByRole('list', { name: 'Checks' }).getByRole('link').nth(20).waitFor()
  await page.evaluate(watchAnswers)
  for (let n = 0; n < 20; n++) await page.keyboard.press('j')
  for (let n = 0; n < 5; n++) await page.keyboard.press('x')
  await page.keyboard.press('/')
  await page.keyboard.type('service 77', { delay: 60 })
  await page.waitForTimeout(1000)
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.waitForTimeout(1000)
  for (let n = 0; n < 4; n++) await many.click()
  const frames = await page.evaluate(scrollThrough, scrolls)
  const answers = await page.evaluate(() => (window as { answers?: number[] }).answers ?? [])
  await page.context().close()
  return [
    bar('interaction to next paint, worst of all, 10,000 checks', Math.max(...answers, 0), 'ms', 100),
    bar('frame while scrolling 10,000 checks, p95', quantile(frames, 0.95), 'ms', 17.5),
  ]
}

/** Runs in the page: notes how long each press and key took until the page was drawn. */
function watchAnswers(): void {
  const answers: number[] = []
  Object.assign(window, { answers })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if ((entry as PerformanceEventTiming).interactionId > 0) answers.push(entry.duration)
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
}

/** Runs in the page: scrolls on at each frame. Answers how long each frame took. */
async function scrollThrough(steps: number): Promise<number[]> {
  const frames: number[] = []
  let last = performance.now()
  for (let step = 0; step < steps; step++) {
    const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
    frames.push(now - last)
    last = now
    window.scrollBy(0, 400)
  }
  return frames.slice(1)
}
