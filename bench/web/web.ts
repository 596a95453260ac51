import { createFleet } from '../fleet.ts'
import type { BenchOptions } from '../options.ts'
import { signIn, startBrowser } from '../../e2e/browser.ts'
import { removeDataDir, startProduct, until, type Product } from '../../e2e/product.ts'
import type { ReportRow } from '../row.ts'
import { startTarget } from '../target/target-process.ts'
import { measureFirstLoad } from './first-load.ts'
import { measureInteractions } from './interactions.ts'
import { measureOpenList } from './open-list.ts'
import { measureReturn } from './return.ts'

const listed = 300
const many = 10_000

/** What the web app costs in a real browser: its first load, its answers to people, and an open list. */
export async function web(report: ReportRow, { minutes = 2 }: BenchOptions): Promise<void> {
  const browser = await startBrowser()
  const target = await startTarget()
  let product = await startProduct()
  try {
    const session = await signIn(browser, product)
    console.error(`web: ${listed} checks of 20 s`)
    await createFleet(product, fleetOf(listed, target.port, true))
    await until('every check to have run', () => allPass(product), 120_000, 1000)
    for (const row of await measureFirstLoad({ browser, product, session })) report(row)
    for (const row of await measureOpenList({ browser, product, session, seconds: minutes * 60 })) report(row)
    const { row, product: restarted } = await measureReturn({ browser, product, session })
    product = restarted
    report(row)
    console.error(`web: ${many} checks that rest`)
    await createFleet(product, fleetOf(many - listed, target.port, false))
    for (const one of await measureInteractions({ browser, product, session })) report(one)
  } finally {
    await browser.close()
    await product.stop()
    target.stop()
    await removeDataDir(product.dataDir)
  }
}

async function allPass(product: Product): Promise<boolean> {
  const { body } = await product.api<{ counts: Record<string, number> }>('GET', '/v1/overview?with=counts')
  return body.counts['passing'] === listed
}

const fleetOf = (count: number, port: number, activated: boolean): object[] =>
  Array.from({ length: count }, (_, n) => ({
    name: `Service ${n}: front page`,
    tags: [`team-${n % 12}`],
    activated,
    frequency: 0,
    frequencyOffset: 20,
    locations: ['eu-west-1'],
    request: { url: `http://127.0.0.1:${port}/ok/${n}` },
  }))
