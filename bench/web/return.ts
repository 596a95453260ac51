import { openWindow } from '../../e2e/browser.ts'
import { startProduct, type Product } from '../../e2e/product.ts'
import type { BenchRow } from '../row.ts'
import { bar, type Visit } from './visit.ts'

/** How soon an open page is live again after the server is. */
export async function measureReturn({
  browser,
  product,
  session,
}: Visit): Promise<{ row: BenchRow; product: Product }> {
  const page = await openWindow(browser, { session })
  await page.goto(product.url)
  const says = (text: string) => page.getByRole('status').filter({ hasText: text }).first()
  await says('Live').waitFor()
  await product.kill()
  await says('Cut off from the server').waitFor()
  const env = { VEDETTE_PORT: new URL(product.url).port }
  const again = await startProduct({ dataDir: product.dataDir, env })
  const ready = Date.now()
  await says('Live').waitFor({ timeout: 30_000 })
  const row = bar('server ready again → page live', Date.now() - ready, 'ms', 2000)
  await page.context().close()
  return { row, product: again }
}
