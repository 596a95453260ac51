import type { Browser } from '@playwright/test'
import type { Session } from '../../e2e/browser.ts'
import type { Product } from '../../e2e/product.ts'
import { figure, type BenchRow } from '../row.ts'

/** Somebody who is signed in and looks at a product. */
export interface Visit {
  browser: Browser
  product: Product
  session: Session
}

/** A figure with the goal it has to keep below. */
export const bar = (metric: string, value: number, unit: string, atMost: number): BenchRow => ({
  ...figure('web', metric, value, unit),
  goal: `≤ ${atMost} ${unit}`,
  met: value <= atMost,
})
