import type { OverviewRow } from '@vedette/wire'

type Judged = Pick<OverviewRow, 'state' | 'cause' | 'failingLocations' | 'locationCount'> &
  Partial<Pick<OverviewRow, 'periodMs'>>

/** What is wrong and at which locations, in whole sentences. `nameOf`: what a location is called. */
export function causeSentence(item: Judged, nameOf = (location: string) => location): string {
  if (item.state === 'passing') return 'Everything is as expected.'
  if (item.state === 'paused') return 'This check is switched off.'
  if (item.state === 'pending')
    return item.periodMs === null ? 'The first ping has not come yet.' : 'The first result is on its way.'
  const where = item.failingLocations.length === 0 ? '' : ` ${whereSentence(item, nameOf)}`
  return `${closed(item.cause ?? 'No cause was recorded')}${where}`
}

function whereSentence({ failingLocations, locationCount }: Judged, nameOf: (location: string) => string): string {
  const of = Math.max(failingLocations.length, locationCount, 1)
  return `At ${failingLocations.length} of ${of} ${of === 1 ? 'location' : 'locations'}: ${failingLocations.map(nameOf).join(', ')}.`
}

const closed = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
