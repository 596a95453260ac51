import { defaultsOf, valueAt, withValueAt, type AnyCheckType } from '@vedette/checks'
import type { Pair } from './key-values.tsx'

/** Fields that a copy must not share with its original. */
const ownFields = ['id', 'created_at', 'updated_at', 'frequencyOffset', 'checkType']

/**
 * What the form of a new check begins with: the defaults of its type, or a copy of another check. What takes little time
 * is watched every minute.
 */
export function startOf(type: AnyCheckType, original: Record<string, unknown> | undefined): Record<string, unknown> {
  if (original !== undefined) {
    const copied = Object.entries(original).filter(([name]) => !ownFields.includes(name))
    return withoutToken(type, { ...Object.fromEntries(copied), name: `Copy of ${String(original['name'])}` })
  }
  const filled = withoutToken(type, type.complete({ ...defaultsOf(type), name: '', ...type.formStart }))
  const isQuick = type.mode.kind === 'scheduled' && type.mode.frequencies.includes(0)
  return isQuick ? { ...filled, frequency: 1 } : filled
}

/** The server assigns every check a token of its own. */
const withoutToken = ({ mode }: AnyCheckType, definition: Record<string, unknown>): Record<string, unknown> =>
  mode.kind === 'passive' ? withValueAt(definition, mode.events.tokenPath, undefined) : definition

/** Name under which what is typed for a new check is kept. */
export const draftOf = (type: AnyCheckType, original = ''): string => `new ${type.type} ${original}`

/** What is sent of a form: without the rows of names and values that were added and never filled in. */
export function withoutEmptyRows(type: AnyCheckType, definition: Record<string, unknown>): Record<string, unknown> {
  const lists = type.form
    .flatMap(({ fields }) => fields)
    .filter(({ kind }) => kind === 'keyValues' || kind === 'variables')
  return withoutEmptyPairs(
    definition,
    lists.map(({ path }) => path),
  )
}

/** The same of the lists of names and values at these paths. */
export function withoutEmptyPairs(
  definition: Record<string, unknown>,
  paths: readonly string[],
): Record<string, unknown> {
  let sent = definition
  for (const path of paths) {
    const rows = valueAt(sent, path) as Pair[] | null | undefined
    const filled = rows?.filter(({ key, value }) => key.trim() !== '' || value !== '')
    if (rows && filled && filled.length < rows.length) sent = withValueAt(sent, path, filled)
  }
  return sent
}
