import { randomUUID } from 'node:crypto'
import {
  type LocationUse,
  privateLocationId,
  slugFromName,
  type PrivateLocationBase,
  type PrivateLocationCreate,
  type PrivateLocationUpdate,
} from '@vedette/wire'
import type { VerbContext } from '../../access/write.ts'
import { conflict, invalidField, notFound } from '../../api-error.ts'
import { restorableSince } from '../../db/restorable.ts'
import { proxyPlace } from '../../settings/location-proxy.ts'
import type { ApiDeps } from '../api-deps.ts'
import { mintLocationKey } from './write-key.ts'
import { proxyToStore } from './proxy-address.ts'
import {
  countLocations,
  insertLocation,
  lockLocationsOf,
  readDeletedLocation,
  readLocation,
  restoreLocation,
  softDeleteLocation,
  updateLocation,
  usesOfLocation,
  type LocationRow,
} from './store.ts'
import { openedProxy, readBase, toBase } from './to-location.ts'

const resource = 'private-locations'

/** More could not be told apart on a page. */
const mostLocations = 500

/** A location as it is answered, with the number of its version. */
export interface VersionedLocation {
  location: PrivateLocationBase
  version: number
}

/** Creates, changes, deletes and restores private locations. */
export const locationVerbs = (deps: ApiDeps) => ({
  create: createLocation(deps),
  update: changeLocation(deps),
  remove: removeLocation(deps),
  restore: bringBackLocation(deps),
})

type Deps = Pick<ApiDeps, 'vault' | 'write' | 'hooks'>

const sealed = ({ vault }: Deps, account: string, id: string, proxy: string | null): LocationRow['secrets'] =>
  proxy === null ? {} : { proxyUrl: vault.seal(proxy, proxyPlace(account, id)) }

/** The new location has a key, which is in this answer only. */
const createLocation =
  (deps: Deps) =>
  (ctx: VerbContext, sent: PrivateLocationCreate): Promise<VersionedLocation> => {
    const account = ctx.accountId
    const id = randomUUID()
    const slug = sent.slugName ?? slugFromName(sent.name)
    if (slug === undefined) throw invalidField('slugName', 'is required, because the name gives none')
    const proxy = proxyToStore(sent.proxyUrl ?? null, null)
    return deps.write(ctx, { action: 'create', resource }, async ({ client, at }) => {
      await lockLocationsOf(client, account)
      if ((await countLocations(client, account)) >= mostLocations)
        throw conflict(`There are ${mostLocations} private locations already; delete one that is not needed.`)
      const content = { id, name: sent.name, icon: sent.icon ?? 'location', at }
      const row = await insertLocation(client, account, {
        ...content,
        slug,
        secrets: sealed(deps, account, id, proxy),
      })
      if (!row) throw taken(slug)
      const { key, raw } = await mintLocationKey(client, account, { location: privateLocationId(id), at })
      const after = toBase(row, [key], { account, vault: deps.vault })
      return {
        id,
        answer: { location: { ...after, keys: [{ ...key, rawKey: raw }] }, version: row.version },
        after,
        announce: () => deps.hooks.locationsChanged(),
      }
    })
  }

const changeLocation =
  (deps: Deps) =>
  (ctx: VerbContext, id: string, sent: PrivateLocationUpdate): Promise<VersionedLocation> =>
    deps.write(ctx, { action: 'update', resource }, async ({ client, at, existing }) => {
      const account = ctx.accountId
      const shown = { account, vault: deps.vault }
      const stored = await existing('private location', readLocation(client, account, id, true))
      const before = await readBase(client, stored, shown)
      const proxy = proxyToStore(sent.proxyUrl, openedProxy(deps.vault, account, stored))
      const content = { id, name: sent.name, icon: sent.icon ?? stored.icon, at }
      const row = await updateLocation(client, account, { ...content, secrets: sealed(deps, account, id, proxy) })
      if (!row) throw notFound('private location')
      const after = toBase(row, before.keys, shown)
      const announce = () => deps.hooks.locationsChanged()
      return { id, answer: { location: after, version: row.version }, before, after, announce }
    })

/** Its agents are refused from now on. */
const removeLocation =
  (deps: Deps) =>
  (ctx: VerbContext, id: string): Promise<void> =>
    deps.write(ctx, { action: 'delete', resource }, async ({ client, at, existing }) => {
      const account = ctx.accountId
      await lockLocationsOf(client, account)
      const stored = await existing('private location', readLocation(client, account, id, true))
      const uses = await usesOfLocation(client, account, privateLocationId(id))
      if (uses.length > 0) throw conflict(inUse(uses))
      const before = await readBase(client, stored, { account, vault: deps.vault })
      await softDeleteLocation(client, account, id, at)
      return { id, answer: undefined, before, announce: () => deps.hooks.locationsChanged() }
    })

/** Brings back a location that was deleted less than a day ago, with its keys. */
const bringBackLocation =
  (deps: Deps) =>
  (ctx: VerbContext, id: string): Promise<VersionedLocation> =>
    deps.write(ctx, { action: 'restore', resource }, async ({ client, at, existing }) => {
      const account = ctx.accountId
      await lockLocationsOf(client, account)
      const wanted = { id, since: restorableSince(at) }
      const { slug } = await existing('private location', readDeletedLocation(client, account, wanted))
      const row = await restoreLocation(client, account, { id, slug, at })
      if (!row) throw taken(slug)
      const after = await readBase(client, row, { account, vault: deps.vault })
      const announce = () => deps.hooks.locationsChanged()
      return { id, answer: { location: after, version: row.version }, after, announce }
    })

const taken = (slug: string) => conflict(`A private location with the slug "${slug}" exists already.`)

const mostNamed = 10

/** Names what runs there, as far as a message has room. */
function inUse(uses: readonly LocationUse[]): string {
  const named = uses.slice(0, mostNamed).map(({ kind, name }) => `${kind} "${name.slice(0, 60)}"`)
  const more = uses.length > mostNamed ? ` and ${uses.length - mostNamed} more` : ''
  return `It is in use: ${named.join(', ')}${more}. Take it out of them first.`
}
