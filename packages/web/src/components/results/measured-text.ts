import type { ResultFact } from '@vedette/checks'
import { durationText } from '../time/format-time.ts'

/** A value of a result as text, with its unit. */
export function measuredText(value: unknown, unit?: ResultFact['unit']): string {
  if (typeof value !== 'number') return plainText(value)
  if (unit === 'ms') return durationText(value)
  const rounded = String(Number(value.toFixed(3)))
  return unit === 'percent' ? `${rounded} %` : rounded
}

function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value === undefined || value === null ? 'none' : JSON.stringify(value)
}
