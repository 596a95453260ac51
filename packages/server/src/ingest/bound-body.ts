/** Most characters of JSON that one result may store. */
export const maxBodyLength = 256 * 1024

/**
 * JSON text of a result's body that the database accepts: no NUL, no half of a surrogate pair, at most `maxLength`
 * characters. The longest texts are cut first, each with a mark of how much is missing.
 */
export function boundBody(body: Record<string, unknown>, maxLength = maxBodyLength): string {
  let text = storableJson(body)
  for (let keep = maxLength >> 1; text.length > maxLength && keep >= 16; keep >>= 1) {
    text = storableJson(mapTexts(body, (value) => cutText(value, keep)))
  }
  if (text.length <= maxLength) return text
  return JSON.stringify({
    ...emptied(body),
    cut: `${text.length} characters are more than the ${maxLength} that are kept`,
  })
}

const emptied = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(body).map((key) => [key, emptyOf(body[key])]))
const emptyOf = (value: unknown) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? {} : null)

const cutText = (value: string, keep: number): string =>
  value.length <= keep ? value : `${value.slice(0, keep)}… [${value.length - keep} characters cut]`

const notStorable = /\\u0000|\\ud[89a-f]/
const halfPair = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

function storableJson(value: unknown): string {
  const text = JSON.stringify(value)
  return notStorable.test(text) ? JSON.stringify(mapTexts(value, storableText)) : text
}

/** The text without characters that PostgreSQL cannot store. */
export const storableText = (value: string): string =>
  value.replaceAll('\u0000', '\ufffd').replaceAll(halfPair, '\ufffd')

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapTexts(item, change)]))
}
