/** Alerts that say whether a check is watched, and nothing of its target. */
export const ofWatch: ReadonlySet<string> = new Set(['ALERT_UNKNOWN', 'ALERT_UNKNOWN_RECOVERY'])
