import { isRegion, type LocationId } from '@vedette/wire'
import type { PrivateLocation } from './store.ts'

/** Translates an account's locations between ids (inside the server) and slugs (in the API). */
export interface LocationSlugs {
  slugOf: (id: string) => string
  /**
   * The location with this slug at which a check may run. A deleted location counts for a check that has it, `kept`.
   */
  idOf: (slug: string, kept?: readonly string[]) => LocationId | undefined
  /** Every location that has or had this slug, for reading results. */
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
