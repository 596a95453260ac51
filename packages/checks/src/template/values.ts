import { momentHelper } from './dates/moment.ts'
import { readWhen } from './dates/read-when.ts'
import type { Helper, Helpers } from './dialect.ts'
import { ownProperty, plainText } from './plain-data.ts'

const value = (count: number | [number, number], compute: Extract<Helper, { kind: 'value' }>['compute']): Helper => {
  const [min, max] = typeof count === 'number' ? [count, count] : count
  return { kind: 'value', min, max, compute }
}

function tagValue(tags: unknown, key: unknown, fallback: unknown): unknown {
  const wanted = plainText(key)
  const list = Array.isArray(tags) ? tags : []
  const found = list.find(
    (tag) => typeof tag === 'string' && /^[:=]/.test(tag.slice(wanted.length)) && tag.startsWith(wanted),
  )
  return typeof found === 'string' ? found.slice(wanted.length + 1) : (fallback ?? '')
}

function replaceFirst(text: string, from: string, to: string): string {
  const at = from === '' ? -1 : text.indexOf(from)
  return at < 0 ? text : text.slice(0, at) + to + text.slice(at + from.length)
}

/** Helpers whose value is new every time. */
export const random = {
  $UUID: value(0, (_, runtime) => runtime.uuid()),
  $RANDOM_NUMBER: value(0, (_, runtime) => Math.floor(runtime.random() * 10_001)),
}

/** Helpers that compute a value. */
export const values: Helpers = {
  ...random,
  tagValue: value([2, 3], ([tags, key, fallback]) => tagValue(tags, key, fallback)),
  replace: value([2, 3], ([text, from, to]) => replaceFirst(plainText(text), plainText(from), plainText(to))),
  split: value([2, 3], ([text, by, index]) => {
    const parts = plainText(text).split(plainText(by))
    return index === undefined ? parts : parts.at(Math.trunc(Number(index)))
  }),
  default: value([1, 20], (args) => args.find((arg) => arg !== null && arg !== undefined && arg !== '') ?? ''),
  lookup: value(2, ([from, key]) => ownProperty(from, plainText(key))),
  year: value(0, (_, runtime) => new Date(runtime.now()).getUTCFullYear()),
  date: momentHelper(readWhen),
  moment: momentHelper(readWhen),
}
