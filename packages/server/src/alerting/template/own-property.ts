/** Reads a property the value itself has. Nothing inherited is reachable from a template. */
export function ownProperty(value: unknown, key: string): unknown {
  if (typeof value === 'string') return key === 'length' ? value.length : undefined
  if (typeof value !== 'object' || value === null) return undefined
  if (!Object.hasOwn(value, key)) return undefined
  const descriptor = Object.getOwnPropertyDescriptor(value, key)
  return typeof descriptor?.value === 'function' ? undefined : descriptor?.value
}
