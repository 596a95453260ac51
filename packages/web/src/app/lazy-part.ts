import { lazy, type ComponentType } from 'react'
import { patient } from './patient.ts'
import { firstPageRead } from './query-client.ts'

/**
 * `asked`: when it is first drawn. `ahead`: then too, or before, some time after the first page was read, so that it is
 * there while the server is away. `after`: it is always drawn, and waits until the first page is read.
 */
type When = 'asked' | 'ahead' | 'after'

/** What is always drawn is loaded before what is not. */
const aheadMs = 1000

/** A part of the app, such as a menu or a dialog, that the first page can do without. */
export function lazyPart<Props>(when: When, load: () => Promise<ComponentType<Props>>) {
  const first = when === 'after' ? firstPageRead : Promise.resolve()
  // One that fails is loaded, with patience, when it is asked for.
  if (when === 'ahead') void firstPageRead.then(() => setTimeout(() => void load().catch(() => undefined), aheadMs))
  return lazy(patient(async () => first.then(async () => ({ default: await load() }))))
}
