import { join } from 'node:path'
import { removeDataDir, startProduct, until, type Product } from '../../e2e/product.ts'
import { openDatabase } from '../../packages/server/src/db/open-database.ts'
import { copyChecksOfAccount } from '../../packages/server/test-support/checks.ts'
import { createFleet, keysFor, metric } from '../fleet.ts'
import { pause, sum } from '../readings/statistics.ts'
import { startUsage, warnUnlessQuiet } from '../readings/usage.ts'
import { figure, type BenchRow } from '../row.ts'
import { periodSeconds } from '../subjects/subject.ts'
import { definition } from '../subjects/vedette.ts'
import type { Target } from '../target/target-process.ts'
import { callerOf } from './calls.ts'
import { timeCalls, type TimedCall } from './latency.ts'

/** Checks that run, 40 and then 50 a second, and how many there are with those that rest. */
const [few, running, many] = [800, 1000, 10_000]

const list = { method: 'GET', path: '/v1/checks?limit=100' } as const
const statuses = { method: 'GET', path: '/v1/check-statuses' } as const

/** How soon the product answers on the embedded database while results come in: with few checks, then with many. */
export async function timesOfEmbedded(target: Target, rounds: number): Promise<BenchRow[]> {
  let product = await startProduct()
  try {
    const fleet = Array.from({ length: running }, (_, n) => definition(target.port, n))
    const ids = await createFleet(product, fleet.slice(0, few))
    await allPass(product, few)
    const rows = await timed({ product, target, rounds }, few, [
      { name: 'a check', call: { method: 'GET', path: `/v1/checks/${ids[0]}` }, times: 150, p50: 4, p99: 20 },
      { name: 'a list of 100', call: list, times: 100, p50: 10, p99: 40 },
      { name: 'all statuses', call: statuses, times: 100, p50: 20, p99: 50 },
    ])
    await createFleet(product, fleet.slice(few))
    await allPass(product, running)
    product = await withCopies(product, many / running - 1)
    await pause(periodSeconds * 1000)
    const rowsOfMany = await timed({ product, target, rounds }, many, [
      { name: 'a list of 100', call: list, times: 100, p99: 40 },
      { name: 'all statuses', call: statuses, times: 20, p99: 300 },
    ])
    return [...rows, ...rowsOfMany]
  } finally {
    await product.stop()
    await removeDataDir(product.dataDir)
  }
}

interface Under {
  product: Product
  target: Target
  rounds: number
}

async function timed(
  { product, target, rounds }: Under,
  checks: number,
  calls: readonly TimedCall[],
): Promise<BenchRow[]> {
  console.error(`api: times with ${checks} checks`)
  const caller = callerOf(product.url, await keysFor(product, sum(calls.map(({ times }) => times)) * rounds))
  try {
    const usageSince = startUsage(product.process.pid ?? 0, target.pid)
    const storedBefore = await metric(product, 'vedette_results_total')
    const rows = await timeCalls(caller, calls, rounds)
    const stored = (await metric(product, 'vedette_results_total')) - storedBefore
    const usage = usageSince()
    warnUnlessQuiet(usage)
    return [figure('api', 'results meanwhile', stored / usage.seconds, '1/s'), ...rows].map((row) => ({
      ...row,
      metric: `${checks} checks: ${row.metric}`,
    }))
  } finally {
    caller.close()
  }
}

const allPass = (product: Product, checks: number) =>
  until('every check to have run', async () => {
    const { body } = await product.api<{ counts: Record<string, number> }>('GET', '/v1/overview?with=counts')
    return body.counts['passing'] === checks
  })

/** The product with so many copies of each check, started anew. They do not run, and have what was known of the check. */
async function withCopies(product: Product, times: number): Promise<Product> {
  await product.stop()
  const db = await openDatabase({ dataDir: join(product.dataDir, 'db') })
  try {
    await copyChecksOfAccount({ db }, product.accountId, { times })
  } finally {
    await db.close()
  }
  return startProduct({ dataDir: product.dataDir })
}
