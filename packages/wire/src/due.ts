/**
 * The six-minute rule, in milliseconds. What has waited this long no longer describes the present: a slot this old is
 * not run, a run that no agent took in this time is lost as missed, a result this long after its lease pages nobody.
 */
export const staleAfterMs = 6 * 60_000

/** Ticks are handed out at most this long before they are due, many at once, and agents start each at its time. */
export const handedOutAheadMs = 500

/** What due times are computed from. `frequency` in minutes, `frequencyOffset` as the contract's Limits define it. */
export interface Schedule {
  checkId: string
  frequency: number
  frequencyOffset: number
}

/** A check's locations to run, in the order round-robin visits them: data-center locations, then private ones by id. */
export interface Locations<L extends string = string> {
  locations: readonly L[]
  runParallel: boolean
}

/** FNV-1a over UTF-16 units with a final avalanche: 32 bits, the same on server and agent. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Milliseconds between two slots. */
export function intervalMs({ frequency, frequencyOffset }: Omit<Schedule, 'checkId'>): number {
  return frequency === 0 ? frequencyOffset * 1000 : frequency * 60_000
}

/** Milliseconds after each multiple of the interval at which the check is due. */
export function phaseMs(schedule: Schedule): number {
  const interval = intervalMs(schedule)
  return (hash32(schedule.checkId) + offsetSeconds(schedule) * 1000) % interval
}

function offsetSeconds({ frequency, frequencyOffset }: Schedule): number {
  if (frequency === 0) return 0
  return frequency <= 60 ? frequencyOffset : frequencyOffset * 60
}

/** Epoch milliseconds of slot `n`. */
export const dueAt = (schedule: Schedule, n: number): number => n * intervalMs(schedule) + phaseMs(schedule)

/** The first slot due at or after `atMs`. */
export const slotAtOrAfter = (schedule: Schedule, atMs: number): number =>
  Math.ceil((atMs - phaseMs(schedule)) / intervalMs(schedule))

/** The last slot due at or before `atMs`. */
export const slotAtOrBefore = (schedule: Schedule, atMs: number): number =>
  Math.floor((atMs - phaseMs(schedule)) / intervalMs(schedule))

/** Where slot `n` runs: one location in turn, or all of them. Empty when the check has no location. */
export function locationsOfSlot<L extends string>({ locations, runParallel }: Locations<L>, n: number): readonly L[] {
  if (runParallel) return locations
  const location = locations[((n % locations.length) + locations.length) % locations.length]
  return location === undefined ? [] : [location]
}

/** Bounds of `frequencyOffset` for a frequency: the allowed list at 0, else a range. Source: contract, Limits. */
export function frequencyOffsetBounds(frequency: number): { values: readonly number[] } | { min: number; max: number } {
  if (frequency === 0) return { values: [10, 20, 30] }
  return { min: 1, max: frequency <= 60 ? Math.floor(frequency * 10) : Math.ceil(frequency / 60) }
}

/** True when the offset is one the contract allows for the frequency. */
export function isFrequencyOffset(frequency: number, offset: number): boolean {
  const bounds = frequencyOffsetBounds(frequency)
  if ('values' in bounds) return bounds.values.includes(offset)
  return Number.isInteger(offset) && offset >= bounds.min && offset <= bounds.max
}

/** The offset of a check whose owner sent none: always the same for the id, and spread over the bounds. */
export function assignedFrequencyOffset(checkId: string, frequency: number): number {
  const bounds = frequencyOffsetBounds(frequency)
  const hash = hash32(`${checkId}/offset`)
  if ('values' in bounds) return bounds.values[hash % bounds.values.length] ?? 10
  return bounds.min + (hash % (bounds.max - bounds.min + 1))
}
