import type { Helper, Helpers } from './dialect.ts'
import { isTruthy, plainText } from './plain-data.ts'

/** Numbers and texts that look like numbers compare as numbers, everything else as text. */
function order(a: unknown, b: unknown): number {
  const [x, y] = [Number(a), Number(b)]
  if (a !== '' && b !== '' && a !== null && b !== null && !Number.isNaN(x) && !Number.isNaN(y)) return x - y
  const [s, t] = [plainText(a), plainText(b)]
  return s === t ? 0 : s < t ? -1 : 1
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null
/** Equal without regard to type: 200 and "200" are. */
const alike = (a: unknown, b: unknown): boolean =>
  a === b || (isScalar(a) && isScalar(b) && a !== null && b !== null && plainText(a) === plainText(b))

const operators: Record<string, (a: unknown, b: unknown) => boolean> = {
  '==': alike,
  '===': (a, b) => a === b,
  '!=': (a, b) => !alike(a, b),
  '!==': (a, b) => a !== b,
  '<': (a, b) => order(a, b) < 0,
  '>': (a, b) => order(a, b) > 0,
  '<=': (a, b) => order(a, b) <= 0,
  '>=': (a, b) => order(a, b) >= 0,
  typeof: (a, b) => typeof a === b,
}

function compare(a: unknown, operator: unknown, b: unknown): boolean {
  const test = typeof operator === 'string' && Object.hasOwn(operators, operator) ? operators[operator] : undefined
  if (!test) throw new Error(`compare does not know the operator "${plainText(operator)}"`)
  return test(a, b)
}

function contains(haystack: unknown, needle: unknown): boolean {
  if (Array.isArray(haystack)) return haystack.some((item) => alike(item, needle))
  if (typeof haystack === 'string') return haystack.includes(plainText(needle))
  if (typeof haystack === 'object' && haystack !== null) return Object.hasOwn(haystack, plainText(needle))
  return false
}

const test = (count: number | [number, number], decide: (args: readonly unknown[]) => unknown): Helper => {
  const [min, max] = typeof count === 'number' ? [count, count] : count
  return { kind: 'condition', min, max, decide }
}
const whole = (value: unknown): number => Math.trunc(Number(value))

/** Helpers that decide: a value inline, a block with `{{else}}`. */
export const conditions: Helpers = {
  if: test(1, ([a]) => isTruthy(a)),
  unless: test(1, ([a]) => !isTruthy(a)),
  eq: test(2, ([a, b]) => alike(a, b)),
  is: test(2, ([a, b]) => alike(a, b)),
  isnt: test(2, ([a, b]) => !alike(a, b)),
  gt: test(2, ([a, b]) => order(a, b) > 0),
  gte: test(2, ([a, b]) => order(a, b) >= 0),
  lt: test(2, ([a, b]) => order(a, b) < 0),
  lte: test(2, ([a, b]) => order(a, b) <= 0),
  compare: test(3, ([a, operator, b]) => compare(a, operator, b)),
  and: test([1, 20], (args) => args.find((arg) => !isTruthy(arg)) ?? (args.every(isTruthy) ? args.at(-1) : false)),
  or: test([1, 20], (args) => args.find(isTruthy) ?? false),
  not: test(1, ([a]) => !isTruthy(a)),
  neither: test([2, 20], (args) => !args.some(isTruthy)),
  isTruthy: test(1, ([a]) => isTruthy(a)),
  isFalsey: test(1, ([a]) => !isTruthy(a)),
  contains: test(2, ([a, b]) => contains(a, b)),
  has: test(2, ([a, b]) => contains(a, b)),
  startsWith: test(2, ([prefix, text]) => plainText(text).startsWith(plainText(prefix))),
  ifEven: test(1, ([a]) => whole(a) % 2 === 0),
  ifOdd: test(1, ([a]) => Math.abs(whole(a) % 2) === 1),
  ifNth: test(2, ([n, value]) => whole(value) % whole(n) === 0),
  unlessEq: test(2, ([a, b]) => !alike(a, b)),
  unlessGt: test(2, ([a, b]) => order(a, b) <= 0),
  unlessGteq: test(2, ([a, b]) => order(a, b) < 0),
  unlessLt: test(2, ([a, b]) => order(a, b) >= 0),
  unlessLteq: test(2, ([a, b]) => order(a, b) > 0),
}
