/** Epoch milliseconds as messages and JSON have them: ISO 8601, UTC, with milliseconds. */
export function isoTime(ms: number): string
export function isoTime(ms: number | null): string | null
export function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
