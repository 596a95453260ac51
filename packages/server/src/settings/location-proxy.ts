import type { SecretPlace } from '../vault.ts'

/** The place to which the sealed address of a private location's proxy is bound. `id` is the UUID of the location. */
export const proxyPlace = (account: string, id: string): SecretPlace => ({
  account,
  table: 'private_locations',
  row: id,
  field: 'proxyUrl',
})
