interface MuteChoice {
  label: string
  /** Epoch milliseconds; null for good. */
  until: number | null
}

const hour = 3_600_000

/** How long a check can be muted: for an hour, until the next morning of this device, or for good. */
export function muteChoices(now: Date): MuteChoice[] {
  const morning = new Date(now)
  morning.setDate(morning.getDate() + 1)
  morning.setHours(9, 0, 0, 0)
  return [
    { label: 'For 1 hour', until: now.getTime() + hour },
    { label: 'Until tomorrow 09:00', until: morning.getTime() },
    { label: 'Until unmuted', until: null },
  ]
}
