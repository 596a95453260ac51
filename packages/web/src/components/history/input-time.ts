const two = (value: number) => String(value).padStart(2, '0')

/** Epoch seconds as a field for date and time shows them: in the zone of the device, or in UTC. */
export function toInput(seconds: number, utc: boolean): string {
  const at = new Date(seconds * 1000)
  if (utc) return at.toISOString().slice(0, 16)
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** What was chosen in such a field, as epoch seconds; undefined while it is not whole. */
export function fromInput(text: string, utc: boolean): number | undefined {
  // Engines take much for a date that no field holds.
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return undefined
  const ms = Date.parse(utc ? `${text.slice(0, 16)}:00Z` : text)
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000)
}
