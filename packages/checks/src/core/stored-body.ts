/** Characters of a body that are kept with a result. */
export const storedBodyLimit = 65_536

/** Cuts a body to what is kept, never through a surrogate pair. */
export function cutBody(text: string, limit = storedBodyLimit): { text: string; cut: boolean } {
  if (text.length <= limit) return { text, cut: false }
  const last = text.charCodeAt(limit - 1)
  const splitsPair = last >= 0xd800 && last <= 0xdbff
  return { text: text.slice(0, splitsPair ? limit - 1 : limit), cut: true }
}
