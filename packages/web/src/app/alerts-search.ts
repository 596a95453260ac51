export const alertHours = [6, 24, 168, 720] as const

/** The filters of the alerts live in the address. */
export interface AlertsSearch {
  hours?: number
  channel?: number
  check?: string
  failed?: boolean
}

/** Reads the filters from an address; unknown ones are left out. */
export function readAlertsSearch(search: Record<string, unknown>): AlertsSearch {
  const hours = alertHours.find((each) => each === Number(search['hours']))
  const channel = Number(search['channel'])
  return {
    ...(hours !== undefined && { hours }),
    ...(Number.isInteger(channel) && channel > 0 && { channel }),
    ...(typeof search['check'] === 'string' && { check: search['check'] }),
    ...(search['failed'] === true && { failed: true }),
  }
}
