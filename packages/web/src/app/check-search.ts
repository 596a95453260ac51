export const ranges = ['1h', '6h', '24h', '7d'] as const
export type RangeName = (typeof ranges)[number]

const hours: Record<RangeName, number> = { '1h': 1, '6h': 6, '24h': 24, '7d': 168 }
const usual: RangeName = '6h'
/** The longest range the server answers, in seconds. */
const longest = 8 * 86_400

/** The range of a check's page lives in the address. */
export interface CheckSearch {
  range?: RangeName
  /** A range of its own, in epoch seconds. */
  from?: number
  to?: number
}

/** A span of time, epoch seconds. `name` is undefined for one that was chosen freely and does not follow the clock. */
export interface Range {
  name: RangeName | undefined
  from: number
  to: number
}

/** Reads the range from an address; what makes no sense is left out. */
export function readCheckSearch(search: Record<string, unknown>): CheckSearch {
  const [from, to] = [Number(search['from']), Number(search['to'])]
  if (Number.isInteger(from) && Number.isInteger(to) && from > 0 && to > from && to - from <= longest)
    return { from, to }
  const range = ranges.find((each) => each === search['range'])
  return range === undefined || range === usual ? {} : { range }
}

/** The span that an address asks for. One that follows the clock ends now. */
export function rangeOf({ range = usual, from, to }: CheckSearch, nowMs: number): Range {
  if (from !== undefined && to !== undefined) return { name: undefined, from, to }
  const end = Math.ceil(nowMs / 1000)
  return { name: range, from: end - hours[range] * 3600, to: end }
}
