/** Milliseconds a `Retry-After` header asks for; undefined when it is absent or invalid. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}
