import type { OlderRevision, RevisionKey, RunSettings } from './run-store.ts'

const keyOf = ({ checkId, revision }: RevisionKey): string => `${checkId}/${revision}`

/** A revision of a check, as far as it concerns its results. */
export interface KnownRevision {
  settings: RunSettings
  /** When the next one was stored; Infinity for the newest. */
  replacedAt: number
}

/** Revisions by check and number. */
export interface Revisions {
  get: (key: RevisionKey) => KnownRevision | undefined
}

/** The newest revision of a check uses the current settings, an older one the settings it had last. */
export function revisionsOf(
  newest: readonly (RevisionKey & { settings: RunSettings })[],
  older: readonly OlderRevision[],
): Revisions {
  const known = new Map([
    ...older.map(({ replaced_at, ...one }) => [keyOf(one), { ...one, replacedAt: replaced_at.getTime() }] as const),
    ...newest.map((one) => [keyOf(one), { ...one, replacedAt: Infinity }] as const),
  ])
  return { get: (key) => known.get(keyOf(key)) }
}
