const longestMs = 3_600_000

/** Milliseconds a `Retry-After` header asks for, at most an hour; undefined when it is absent or invalid. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  const wait = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs
  return Number.isNaN(wait) ? undefined : Math.min(longestMs, Math.max(0, wait))
}
