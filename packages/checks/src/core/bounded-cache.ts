/** A cache that forgets what was used longest ago. */
export function boundedCache<Value>(limit: number, make: (key: string) => Value): (key: string) => Value {
  const kept = new Map<string, Value>()
  return (key) => {
    const known = kept.get(key)
    const value = known ?? make(key)
    if (known !== undefined) kept.delete(key)
    kept.set(key, value)
    if (kept.size > limit) kept.delete(kept.keys().next().value as string)
    return value
  }
}
