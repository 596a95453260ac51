/** Characters that databases do not store as text: NUL and halves of surrogate pairs. */
const unstorable = /[\0\ud800-\udfff]/gu

/** The text with U+FFFD in place of what cannot be stored. */
export const storable = (text: string): string => text.replace(unstorable, '\ufffd')

/** Cuts without splitting a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const last = text.charCodeAt(limit - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit)
}
