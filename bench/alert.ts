import { removeDataDir, startProduct, until, type Product } from '../e2e/product.ts'
import { startReceiver, type Delivery } from '../e2e/receiver.ts'
import { createFleet } from './fleet.ts'
import type { ReportRow } from './row.ts'
import { pause, quantile } from './readings/statistics.ts'
import { startTarget } from './target/target-process.ts'

const checks = 1000
const periodMs = 20_000
const measureMs = 180_000
/** One check in a hundred results: 50 results/s make one failure every two seconds. */
const outageEveryMs = 2000

/** How soon a webhook is accepted, from the failing result and from the outage, at 50 results/s of which 1 % fail. */
export async function alert(report: ReportRow): Promise<void> {
  const target = await startTarget()
  const receiver = await startReceiver()
  const product = await startProduct()
  try {
    await product.api('POST', '/v1/alert-channels', { type: 'WEBHOOK', config: { name: 'Bench', url: receiver.url } })
    console.error(`alert: creating ${checks} checks, then ${measureMs / 1000} s of outages`)
    const ids = await createFleet(
      product,
      Array.from({ length: checks }, (_, n) => definition(target.port, n)),
    )
    await pause(periodMs * 2)
    const outages = new Map<string, number>()
    const end = Date.now() + measureMs
    for (let n = 0; Date.now() < end; n++) {
      const at = (n * 37) % checks
      target.fail(`/check/${at}`, 1)
      outages.set(ids[at] ?? '', Date.now())
      await pause(outageEveryMs)
    }
    await pause(periodMs + 2000)
    await tell(report, { product, deliveries: receiver.deliveries, outages })
  } finally {
    await product.stop()
    await receiver.stop()
    await removeDataDir(product.dataDir)
    target.stop()
  }
}

const definition = (port: number, n: number) => ({
  name: `Alert ${n}`,
  frequency: 0,
  frequencyOffset: 20,
  doubleCheck: false,
  locations: ['eu-west-1'],
  request: { url: `http://127.0.0.1:${port}/check/${n}` },
})

interface Seen {
  product: Product
  deliveries: readonly Delivery[]
  outages: ReadonlyMap<string, number>
}

async function tell(report: ReportRow, { product, deliveries, outages }: Seen): Promise<void> {
  const failures = deliveries.filter((each) => each.body['ALERT_TYPE'] === 'ALERT_FAILURE')
  const afterResult: number[] = []
  const afterOutage: number[] = []
  for (const { at, body } of failures) {
    const checkId = String(body['CHECK_ID'])
    const received = await receivedAt(product, checkId, String(body['CHECK_RESULT_ID']))
    afterResult.push(at - received)
    const outage = outages.get(checkId)
    if (outage !== undefined && at > outage) afterOutage.push(at - outage)
  }
  const row = { bench: 'alert', against: null, ratio: null, goal: null, met: null }
  report({ ...row, metric: 'outages / failure webhooks accepted', value: failures.length, unit: `of ${outages.size}` })
  const p99 = quantile(afterResult, 0.99)
  report({
    ...row,
    metric: 'failing result received → webhook accepted, p50',
    value: quantile(afterResult, 0.5),
    unit: 'ms',
  })
  report({
    ...row,
    metric: 'failing result received → webhook accepted, p99',
    value: p99,
    unit: 'ms',
    goal: '< 500 ms',
    met: p99 < 500,
  })
  const late = quantile(afterOutage, 0.99)
  const bound = periodMs + 1000
  report({
    ...row,
    metric: 'outage start → webhook accepted, p99',
    value: late,
    unit: 'ms',
    against: 'period (an error answer needs no timeout, no retries set)',
    ratio: late / periodMs,
    goal: `≤ period + 1 s = ${bound} ms`,
    met: late <= bound,
  })
}

async function receivedAt(product: Product, checkId: string, resultId: string): Promise<number> {
  return until('a place under the rate limit', async () => {
    const answer = await product.api<{ created_at: string }>('GET', `/v1/check-results/${checkId}/${resultId}`)
    return answer.status === 200 && Date.parse(answer.body.created_at)
  })
}
