import { lazy, type ComponentType } from 'react'
import { patient } from './patient.ts'
import { firstPageRead } from './query-client.ts'

/** `asked`: when it is first drawn. `after`: it is always drawn, and waits until the first page is read. */
type When = 'asked' | 'after'

/** A part of the app, such as a menu or a dialog, that the first page can do without. */
export function lazyPart<Props>(when: When, load: () => Promise<ComponentType<Props>>) {
  const first = when === 'after' ? firstPageRead : Promise.resolve()
  return lazy(patient(async () => first.then(async () => ({ default: await load() }))))
}
