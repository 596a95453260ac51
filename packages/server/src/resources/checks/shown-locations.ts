import type { Definition } from '@vedette/checks'
import type { LocationSlugs } from '../../locations/location-slugs.ts'

/** The private locations that a definition names: ids as it is stored, slugs as it is sent and answered. */
export const privateLocationsOf = ({ privateLocations }: Definition): readonly string[] =>
  Array.isArray(privateLocations) ? (privateLocations as string[]) : []

/** A stored definition as the API returns it. */
export function withSlugs(definition: Definition, { slugOf }: Pick<LocationSlugs, 'slugOf'>): Definition {
  const ids = privateLocationsOf(definition)
  return ids.length === 0 ? definition : { ...definition, privateLocations: ids.map(slugOf) }
}

/** A definition as it is stored. Its slugs were validated; those in `kept` resolve to the locations the check has. */
export function withIds(definition: Definition, { idOf }: LocationSlugs, kept: readonly string[]): Definition {
  const slugs = privateLocationsOf(definition)
  return slugs.length === 0 ? definition : { ...definition, privateLocations: slugs.map((slug) => idOf(slug, kept)) }
}
