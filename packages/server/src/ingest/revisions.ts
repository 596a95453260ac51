import type { RevisionKey, RunSettings } from './store.ts'

const keyOf = ({ checkId, revision }: RevisionKey): string => `${checkId}/${revision}`

/** The settings of revisions by check and number. */
export interface Revisions {
  get: (key: RevisionKey) => RunSettings | undefined
}

/** The newest revision of a check uses the current settings, an older one the settings it had last. */
export function revisionsOf(
  newest: readonly (RevisionKey & { settings: RunSettings })[],
  older: readonly (RevisionKey & { settings: RunSettings })[],
): Revisions {
  const known = new Map([...older, ...newest].map((one) => [keyOf(one), one.settings]))
  return { get: (key) => known.get(keyOf(key)) }
}
