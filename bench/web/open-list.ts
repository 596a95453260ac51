import { openWindow } from '../../e2e/browser.ts'
import { listenLive } from '../live-events.ts'
import { quantile } from '../readings/statistics.ts'
import type { BenchRow } from '../row.ts'
import { bar, type Visit } from './visit.ts'

const settleMs = 10_000

/** What a list of checks costs that stays open: processor, line, memory; and how soon a stored result is on it. */
export async function measureOpenList({
  browser,
  product,
  session,
  seconds,
}: Visit & { seconds: number }): Promise<BenchRow[]> {
  const page = await openWindow(browser, { session })
  const line = await page.context().newCDPSession(page)
  await line.send('Network.enable')
  await line.send('Performance.enable')
  await line.send('HeapProfiler.enable')
  let bytes = 0
  line.on('Network.dataReceived', ({ encodedDataLength }) => (bytes += encodedDataLength))
  await page.goto(product.url)
  await page.getByRole('list', { name: 'Checks' }).getByRole('link').first().waitFor()
  await page.waitForTimeout(settleMs)
  const told = new Map<string, number>()
  const live = listenLive(product.url, product.apiKey, (event) => {
    if (event.kind === 'result') told.set(event.checkId, Date.now())
  })
  await page.evaluate(watchStrips)
  const before = { busy: await busySeconds(line), heap: await heapMb(line), bytes, at: Date.now() }
  await page.waitForTimeout(seconds * 1000)
  const after = { busy: await busySeconds(line), heap: await heapMb(line), bytes, at: Date.now() }
  live.close()
  const seen = await page.evaluate(() => (window as { seen?: [string, number][] }).seen ?? [])
  await page.context().close()
  const lasted = (after.at - before.at) / 1000
  const delays = seen.flatMap(([id, at]) => (told.has(id) ? [Math.max(0, at - (told.get(id) ?? at))] : []))
  return [
    bar('open list of 300 checks: processor', (100 * (after.busy - before.busy)) / lasted, '% of a core', 3),
    bar('open list of 300 checks: line', ((after.bytes - before.bytes) / 1e6 / lasted) * 3600, 'MB/h', 5),
    bar(
      `open list of 300 checks: heap after ${Math.round(lasted / 60)} min`,
      after.heap / before.heap,
      '× before',
      1.2,
    ),
    bar('result told → on screen, p95', quantile(delays, 0.95), 'ms', 700),
  ]
}

type Line = Awaited<ReturnType<ReturnType<Awaited<ReturnType<typeof openWindow>>['context']>['newCDPSession']>>

async function busySeconds(line: Line): Promise<number> {
  const { metrics } = await line.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
}

async function heapMb(line: Line): Promise<number> {
  await line.send('HeapProfiler.collectGarbage')
  const { metrics } = await line.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0) / 1e6
}

/** Runs in the page: notes when the strip of a check was drawn anew, the last time of each. */
function watchStrips(): void {
  const seen: [string, number][] = []
  Object.assign(window, { seen })
  const list = document.querySelector('[role=list][aria-label=Checks]')
  if (!list) throw new Error('The page shows no list of checks')
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const row = (target as Element).closest?.('[role=listitem]')?.querySelector<HTMLElement>('[data-check-row]')
      const id = row?.dataset['checkRow']
      if (id === undefined || (target as Element).tagName !== 'path') continue
      const known = seen.find(([each]) => each === id)
      if (known) known[1] = Date.now()
      else seen.push([id, Date.now()])
    }
  }).observe(list, { subtree: true, attributes: true, attributeFilter: ['d'] })
}
