import { hash } from 'node:crypto'

/** UUIDv8: 48 bits of epoch milliseconds, then a hash. The time prefix finds the day partition of a result. */
function timedUuid(epochMs: number, parts: readonly (string | number)[]): string {
  const digest = hash('sha256', parts.join('\u0000'))
  const time = epochMs.toString(16).padStart(12, '0')
  const variant = ((Number.parseInt(digest.slice(4, 5), 16) & 0x3) | 0x8).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-8${digest.slice(0, 3)}-${variant}${digest.slice(5, 8)}-${digest.slice(8, 20)}`
}

/**
 * Groups the attempts of one run at one location. `firstLocation` is where its first attempt ran; null for a result of
 * a passive check, which ran nowhere.
 */
export const sequenceId = (checkId: string, dueAtMs: number, firstLocation: string | null): string =>
  timedUuid(dueAtMs, [checkId, dueAtMs, firstLocation ?? ''])

/** Id of a result and of its attempt. A re-run after a lost lease keeps it, so redelivery collides. */
export const attemptId = (sequence: string, dueAtMs: number, attempt: number): string =>
  timedUuid(dueAtMs, [sequence, attempt])

/** Epoch milliseconds carried by a result or sequence id, undefined when the text is no such id. */
export function dueAtOfId(id: string): number | undefined {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)) return undefined
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}
