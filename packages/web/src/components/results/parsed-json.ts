/** The value of a text that is a JSON object or list; undefined for any other text. */
export function parsedJson(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as object
  } catch {
    // Cut off, or no JSON at all: it is shown as text.
    return undefined
  }
}

/** Path of a member as JSONPath: `$.products[0].name`. */
export const memberPath = (path: string, key: string | number): string =>
  typeof key === 'number'
    ? `${path}[${key}]`
    : /^[A-Za-z_]\w*$/.test(key)
      ? `${path}.${key}`
      : `${path}['${key.replaceAll(/['\\]/g, String.raw`\$&`)}']`

/** Whether the name or the value of a member, or of anything in it, contains a text. */
export function holds(key: string, value: unknown, wanted: string): boolean {
  if (wanted === '' || key.toLowerCase().includes(wanted)) return true
  if (typeof value !== 'object' || value === null) return String(value).toLowerCase().includes(wanted)
  return Object.entries(value).some(([name, member]) => holds(name, member, wanted))
}
