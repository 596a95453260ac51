import { cutText, storableJson } from '../storable.ts'

/** Most characters of JSON that one result may store. */
export const maxBodyLength = 256 * 1024
const shortestCut = 16

/**
 * JSON text of a result's body that the database accepts, of at most `maxLength` characters. The longest texts are cut
 * first, each with a mark of how much is missing.
 */
export function boundBody(body: Record<string, unknown>, maxLength = maxBodyLength): string {
  const storable = storableJson(body) as Record<string, unknown>
  let text = JSON.stringify(storable)
  if (text.length <= maxLength) return text
  for (let keep = longestThatMayFit(storable, maxLength); keep >= shortestCut; keep >>= 1) {
    text = JSON.stringify(storable, (_key, value: unknown) => (typeof value === 'string' ? marked(value, keep) : value))
    if (text.length <= maxLength) return text
  }
  return outlineOf(storable, maxLength)
}

/** The longest cut, halved from `maxLength`, under which the texts alone are not already too long together. */
function longestThatMayFit(value: unknown, maxLength: number): number {
  const lengths: number[] = []
  JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === 'string') lengths.push(item.length)
    return item
  })
  let keep = maxLength >> 1
  while (keep >= shortestCut && sum(lengths.map((length) => Math.min(length, keep))) > maxLength) keep >>= 1
  return keep
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const marked = (text: string, keep: number): string => {
  const kept = cutText(text, keep)
  return kept.length === text.length ? text : `${kept}… [${text.length - kept.length} characters cut]`
}

/** The body without its largest parts, with a mark of how long it was. */
function outlineOf(body: Record<string, unknown>, maxLength: number): string {
  const outline = { ...body }
  const lengthOf = (key: string) => JSON.stringify(outline[key])?.length ?? 0
  const largestFirst = Object.keys(body).toSorted((a, b) => lengthOf(b) - lengthOf(a))
  const cut = `${JSON.stringify(body).length} characters are more than the ${maxLength} that are kept`
  for (const key of largestFirst) {
    outline[key] = null
    const text = JSON.stringify({ ...outline, cut })
    if (text.length <= maxLength) return text
  }
  return JSON.stringify({ ...outline, cut })
}
