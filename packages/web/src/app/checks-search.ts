import { checkStates, type CheckState } from '@vedette/wire'

/** The filters of the list live in the address, so that every view can be linked. */
export interface ChecksSearch {
  search?: string
  tag?: string
  state?: CheckState
  page?: number
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Reads the filters from an address; unknown ones are left out. */
export function readChecksSearch(search: Record<string, unknown>): ChecksSearch {
  const state = checkStates.find((each) => each === search['state'])
  const page = Number(search['page'])
  return {
    ...(text(search['search']) && { search: String(search['search']) }),
    ...(text(search['tag']) && { tag: String(search['tag']) }),
    ...(state && { state }),
    ...(Number.isInteger(page) && page > 1 && { page }),
  }
}
