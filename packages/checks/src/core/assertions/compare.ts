import type { Comparison } from '@vedette/wire'

/** The outcome for one value. `note` says why a comparison could not hold where the values do not show it. */
export interface Compared {
  holds: boolean
  note?: string
}

type Compare = (value: unknown, target: string) => Compared | boolean

const numberOf = (value: unknown): number | undefined => {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function sameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]))
  if (!isObject(a) || !isObject(b)) return a === b
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
}

function sameAsJsonText(value: unknown, target: string): boolean {
  try {
    return sameJson(value, JSON.parse(target))
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** Text equals text; numbers are compared as numbers; lists and objects with the JSON of the target. */
function equals(value: unknown, target: string): boolean {
  if (value === undefined) return false
  if (typeof value === 'string') return value === target
  if (typeof value === 'number') return numberOf(target) === value
  if (typeof value === 'object' && value !== null) return sameAsJsonText(value, target)
  return JSON.stringify(value) === target.trim()
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && Object.keys(value).length === 0
}

function contains(value: unknown, target: string): boolean {
  if (value === undefined || value === null) return false
  if (Array.isArray(value)) return value.some((item) => equals(item, target))
  return (typeof value === 'string' ? value : JSON.stringify(value)).includes(target)
}

const hasKey: Compare = (value, target) =>
  isObject(value) ? Object.hasOwn(value, target) : { holds: false, note: 'it is not an object' }

function hasValue(value: unknown, target: string): Compared | boolean {
  if (Array.isArray(value)) return value.some((item) => equals(item, target))
  if (isObject(value)) return Object.values(value).some((item) => equals(item, target))
  return { holds: false, note: 'it is neither a list nor an object' }
}

function ordered(value: unknown, target: string, inOrder: (a: number, b: number) => boolean): Compared | boolean {
  const number = numberOf(value)
  const limit = numberOf(target)
  if (limit === undefined) return { holds: false, note: 'the target is not a number' }
  return number === undefined ? { holds: false, note: 'it is not a number' } : inOrder(number, limit)
}

const not =
  (compare: Compare): Compare =>
  (value, target) => {
    const compared = compare(value, target)
    return typeof compared === 'boolean' ? !compared : !compared.holds
  }

const compares: Record<Comparison, Compare> = {
  EQUALS: equals,
  NOT_EQUALS: not(equals),
  HAS_KEY: hasKey,
  NOT_HAS_KEY: not(hasKey),
  HAS_VALUE: hasValue,
  NOT_HAS_VALUE: not(hasValue),
  IS_EMPTY: isEmpty,
  NOT_EMPTY: not(isEmpty),
  GREATER_THAN: (value, target) => ordered(value, target, (a, b) => a > b),
  LESS_THAN: (value, target) => ordered(value, target, (a, b) => a < b),
  CONTAINS: contains,
  NOT_CONTAINS: not(contains),
  IS_NULL: (value) => value === undefined || value === null,
  NOT_NULL: (value) => value !== undefined && value !== null,
}

/**
 * Whether a value satisfies a comparison. `undefined` means that there is no value: it counts as null and as empty,
 * does not equal, contain or have anything, and is neither greater nor less. So each `NOT_` comparison is the exact
 * opposite of its plain one.
 */
export function compare(comparison: Comparison, value: unknown, target: string): Compared {
  const compared = compares[comparison](value, target)
  return typeof compared === 'boolean' ? { holds: compared } : compared
}
