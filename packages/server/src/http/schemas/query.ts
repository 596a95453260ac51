import { z } from 'zod'
import { noSuch } from '../../api-error.ts'

/** Query strings are text: these parse them as the wanted type, and document that type. */
const read = <T extends z.ZodType>(convert: (text: string) => unknown, schema: T) =>
  z.preprocess((value) => (typeof value === 'string' ? convert(value) : value), schema)

const asNumber = (text: string): unknown => (/^-?\d{1,16}(\.\d+)?$/.test(text) ? Number(text) : text)

export const integerParam = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  read(asNumber, z.int().min(min).max(max))

export const numberParam = (min: number, max: number) => read(asNumber, z.number().min(min).max(max))

export const booleanParam = () =>
  read((text) => (text === 'true' ? true : text === 'false' ? false : text), z.boolean())

/** `?tag=a,b` and `?tag=a&tag=b`. */
export const listParam = <T extends z.ZodType<unknown>>(item: T) =>
  z.preprocess(
    (value) =>
      value === undefined
        ? undefined
        : [value].flat().flatMap((part) => (typeof part === 'string' ? part.split(',') : [part])),
    z.array(item).max(100),
  )

const latestSecond = 8_640_000_000_000

/** A time: UNIX seconds as in the contract; milliseconds and ISO 8601 are accepted too. Returns epoch milliseconds. */
export const instantParam = () =>
  read(
    asInstant,
    z
      .number({ error: 'must be a UNIX timestamp in seconds or an ISO 8601 date' })
      .min(0)
      .max(latestSecond * 1000),
  )

function asInstant(text: string): unknown {
  if (/^\d{1,15}(\.\d+)?$/.test(text))
    return Number(text) < 100_000_000_000 ? Math.round(Number(text) * 1000) : Number(text)
  if (!/^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/.test(text)) return text
  const at = Date.parse(/T/.test(text) && !/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? `${text}Z` : text)
  return Number.isNaN(at) ? text : at
}

/** An id of such a thing in a path: nothing has one that is no UUID. */
export const uuidParam = (what: string) => z.guid({ error: noSuch(what) }).transform((id) => id.toLowerCase())

const highestId = 2_147_483_647

/** An integer id of such a thing in a path. */
export const idParam = (what: string) => {
  const error = noSuch(what)
  return read(asNumber, z.int({ error }).min(1, { error }).max(highestId, { error }))
}

/** An integer id in a query. */
export const idQuery = () => integerParam(1, highestId)
