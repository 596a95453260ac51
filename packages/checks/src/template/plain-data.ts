/** Reads a property the value itself has. Nothing inherited is reachable from a template. */
export function ownProperty(value: unknown, key: string): unknown {
  if (typeof value === 'string') return key === 'length' ? value.length : undefined
  if (typeof value !== 'object' || value === null) return undefined
  if (!Object.hasOwn(value, key)) return undefined
  const descriptor = Object.getOwnPropertyDescriptor(value, key)
  return typeof descriptor?.value === 'function' ? undefined : descriptor?.value
}

/** Truth as Handlebars defines it: empty lists are false, besides what is false in JavaScript. */
export const isTruthy = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value))

/** Text of a value without any encoding: `{{{x}}}`. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)) {
    return value.map(plainText).join(', ')
  }
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : (JSON.stringify(value) ?? '')
}
