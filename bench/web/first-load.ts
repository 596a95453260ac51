import { openWindow } from '../../e2e/browser.ts'
import { quantile } from '../readings/statistics.ts'
import { figure, type BenchRow } from '../row.ts'
import { bar, type Visit } from './visit.ts'

/** A slow phone line, as browsers' tools know it. */
const slow4g = { offline: false, latency: 150, downloadThroughput: (1.6 * 1e6) / 8, uploadThroughput: (750 * 1e3) / 8 }
const slowerCpu = 4
const settledMs = 4000

const visits = 3

/** From an empty cache to the list, on a slow device and line: what was loaded, and when the largest part is shown. */
export async function measureFirstLoad(visit: Visit): Promise<BenchRow[]> {
  const seen: { bytes: number; rowsMs: number; largestMs: number }[] = []
  for (let n = 0; n < visits; n++) seen.push(await firstVisit(visit))
  const median = (values: number[]) => quantile(values, 0.5)
  return [
    bar(
      'first visit: page, scripts and styles until the rows are there',
      median(seen.map(({ bytes }) => bytes)) / 1000,
      'kB',
      200,
    ),
    bar(
      'first visit: largest paint, slow 4G, CPU 4 × slower, 300 checks',
      median(seen.map(({ largestMs }) => largestMs)),
      'ms',
      1800,
    ),
    figure('web', 'first visit: first rows, slow 4G, CPU 4 × slower', median(seen.map(({ rowsMs }) => rowsMs)), 'ms'),
  ]
}

async function firstVisit({ browser, product, session }: Visit) {
  const page = await openWindow(browser, { session })
  const line = await page.context().newCDPSession(page)
  await line.send('Network.enable')
  await line.send('Network.emulateNetworkConditions', slow4g)
  await line.send('Emulation.setCPUThrottlingRate', { rate: slowerCpu })
  let loaded = 0
  const kinds = new Map<string, string>()
  line.on('Network.responseReceived', ({ requestId, type }) => void kinds.set(requestId, type))
  line.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (['Document', 'Script', 'Stylesheet'].includes(kinds.get(requestId) ?? '')) loaded += encodedDataLength
  })
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      Object.assign(window, { largestPaint: list.getEntries().at(-1)?.startTime })
    }).observe({ type: 'largest-contentful-paint', buffered: true })
  })
  await page.goto(product.url)
  await page.getByRole('list', { name: 'Checks' }).getByRole('link').first().waitFor({ timeout: 60_000 })
  const [bytes, rowsMs] = [loaded, await page.evaluate(() => performance.now())]
  await page.waitForTimeout(settledMs)
  const largestMs = await page.evaluate(() => (window as { largestPaint?: number }).largestPaint ?? 0)
  await page.context().close()
  return { bytes, rowsMs, largestMs }
}
