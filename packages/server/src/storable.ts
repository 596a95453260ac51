/** Rules on what the database can hold, for texts and JSON that come from outside. */

const halfPair = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const notStorable = /\0|[\ud800-\udfff]/

/** The text with U+FFFD for every NUL and every half of a surrogate pair, which PostgreSQL cannot store. */
export const storableText = (text: string): string =>
  notStorable.test(text) ? text.replaceAll('\0', '\ufffd').replaceAll(halfPair, '\ufffd') : text

const isStorableText = (text: string): boolean => !notStorable.test(text) || storableText(text) === text

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** The first `length` characters (UTF-16 units) of the text, one less where the cut would halve a character. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  return text.slice(0, isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length)
}

/**
 * PostgreSQL and JSON.stringify fail on JSON that nests thousands of levels deep. Reports of our check types have fewer
 * than ten.
 */
const mostLevels = 64
/** Texts, numbers, lists and objects in one value, counted together. It bounds the time that walks over it take. */
const mostValues = 50_000
const longestKey = 1000

/**
 * A JSON value that the database can hold: texts and keys are storable, numbers finite. What nests too deep, and what
 * follows too many values, is replaced by a text that says so. Almost every value is such a value already: it is returned
 * as it is, and others as a copy.
 */
export const storableJson = (value: unknown): unknown => (isStorable(value) ? value : storableCopy(value))

function isStorable(value: unknown): boolean {
  let values = 0
  const holds = (item: unknown, level: number): boolean => {
    if (++values > mostValues) return false
    if (typeof item === 'string') return isStorableText(item)
    if (typeof item === 'number') return Number.isFinite(item)
    if (typeof item !== 'object' || item === null) return true
    if (level > mostLevels) return false
    if (Array.isArray(item)) return item.every((one) => holds(one, level + 1))
    return Object.keys(item).every(
      (key) =>
        key.length <= longestKey && isStorableText(key) && holds((item as Record<string, unknown>)[key], level + 1),
    )
  }
  return holds(value, 0)
}

function storableCopy(value: unknown): unknown {
  let values = 0
  const copy = (item: unknown, level: number): unknown => {
    values++
    if (typeof item === 'string') return storableText(item)
    if (typeof item === 'number') return Number.isFinite(item) ? item : null
    if (typeof item !== 'object' || item === null) return item
    if (level > mostLevels) return `[nested deeper than ${mostLevels} levels]`
    if (values > mostValues) return `[more than ${mostValues} values]`
    return Array.isArray(item) ? copyOfList(item, level) : copyOfObject(item, level)
  }
  const copyOfList = (list: readonly unknown[], level: number): unknown[] =>
    list.slice(0, roomFor(list.length)).map((item) => copy(item, level + 1))
  const copyOfObject = (object: object, level: number): object => {
    const entries = Object.entries(object)
    return Object.fromEntries(
      entries
        .slice(0, roomFor(entries.length))
        .map(([key, item]) => [storableText(cutText(key, longestKey)), copy(item, level + 1)]),
    )
  }
  const roomFor = (count: number): number => Math.max(0, Math.min(count, mostValues - values))
  return copy(value, 0)
}
