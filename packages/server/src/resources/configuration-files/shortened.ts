import { isDeepStrictEqual } from 'node:util'
import type { Entry } from './file-kind.ts'

const first = ['name', 'key', 'slugName', 'type']

function compareFields(a: string, b: string): number {
  const [rankA, rankB] = [a, b].map((field) => (first.includes(field) ? first.indexOf(field) : first.length))
  return (rankA ?? 0) - (rankB ?? 0) || (a < b ? -1 : a > b ? 1 : 0)
}

const isEntry = (value: unknown): value is Entry => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The same with the fields of all objects in one order. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (!isEntry(value)) return value
  const fields = Object.entries(value).toSorted(([a], [b]) => compareFields(a, b))
  return Object.fromEntries(fields.map(([field, child]) => [field, inOrder(child)]))
}

/**
 * The entry without what `complete` fills in by itself, however deep. `complete` answers undefined for an entry that is
 * not valid. `defaults` are known from the start; they only spare trying.
 */
export function shortened(entry: Entry, complete: (entry: Entry) => Entry | undefined, defaults: Entry = {}): Entry {
  const completed = complete(entry)
  if (completed === undefined) return inOrder(entry) as Entry
  const whole = structuredClone(completed)
  const plain = Object.entries(whole).filter(([field, value]) => !isDeepStrictEqual(value, defaults[field]))
  const root: Entry = structuredClone(Object.fromEntries(plain))
  dropDefaults(root, () => isDeepStrictEqual(complete(root), whole))
  return inOrder(root) as Entry
}

function dropDefaults(node: Entry, isSame: () => boolean): void {
  for (const [field, value] of Object.entries(node)) {
    delete node[field]
    if (isSame()) continue
    node[field] = value
    const inside = Array.isArray(value) ? value : [value]
    for (const child of inside) if (isEntry(child)) dropDefaults(child, isSame)
  }
}
