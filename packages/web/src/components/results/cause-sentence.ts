import type { OverviewRow } from '@vedette/wire'

type Judged = Pick<OverviewRow, 'state' | 'cause' | 'failingLocations' | 'locationCount'>

/** What is wrong and at which locations, in whole sentences. */
export function causeSentence(item: Judged): string {
  if (item.state === 'passing') return 'Everything is as expected.'
  if (item.state === 'paused') return 'This check is switched off.'
  if (item.state === 'pending') return 'The first result is on its way.'
  const where = item.failingLocations.length === 0 ? '' : ` ${whereSentence(item)}`
  return `${closed(item.cause ?? 'No cause was recorded')}${where}`
}

function whereSentence({ failingLocations, locationCount }: Judged): string {
  const of = Math.max(failingLocations.length, locationCount, 1)
  return `At ${failingLocations.length} of ${of} ${of === 1 ? 'location' : 'locations'}: ${failingLocations.join(', ')}.`
}

const closed = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
