import { isRegion, type LocationId } from '@vedette/wire'
import type { PrivateLocation } from './store.ts'

/** The two names of an account's locations: ids inside the server, slugs at the edge of the API. */
export interface LocationSlugs {
  slugOf: (id: string) => string
  /** Where a check may be sent to run under this slug. A deleted location counts for a check that has it, `kept`. */
  idOf: (slug: string, kept?: readonly string[]) => LocationId | undefined
  /** Every location that has or had this slug, for looking back. */
  idsOf: (slug: string) => LocationId[]
}

export function locationSlugs(known: readonly PrivateLocation[]): LocationSlugs {
  const slugs = new Map<string, string>(known.map(({ id, slug }) => [id, slug]))
  const named = (slug: string) => known.filter((location) => location.slug === slug)
  return {
    slugOf: (id) => slugs.get(id) ?? id,
    idOf: (slug, kept = []) =>
      isRegion(slug)
        ? slug
        : (named(slug).find(({ isDeleted }) => !isDeleted) ?? named(slug).find(({ id }) => kept.includes(id)))?.id,
    idsOf: (slug) => (isRegion(slug) ? [slug] : named(slug).map(({ id }) => id)),
  }
}
