import { isDeepStrictEqual } from 'node:util'
import type { PlannedResource } from '@vedette/wire'

type Changes = PlannedResource['changes']

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields that differ, by dotted path. A list that differs is one field. */
export function changesBetween(before: unknown, after: unknown, path = ''): Changes {
  if (isDeepStrictEqual(before, after)) return []
  if (!isObject(before) || !isObject(after)) return [{ path, before: before ?? null, after: after ?? null }]
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return fields.flatMap((field) =>
    changesBetween(before[field], after[field], path === '' ? field : `${path}.${field}`),
  )
}
