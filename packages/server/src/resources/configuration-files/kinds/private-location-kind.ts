import { secretMask } from '@vedette/checks'
import { privateLocationCreate } from '@vedette/wire'
import { invalidField } from '../../../api-error.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { listLocations, locationVerbs, openedProxy, shownProxy } from '../../private-locations/for-verbs.ts'
import type { Entry, FileKind, Held } from '../file-kind.ts'
import { inOrder } from '../shortened.ts'
import { parsed, textAt } from './parsed.ts'

const schema = privateLocationCreate.required({ slugName: true })

/** An address without user and password stands in files as it is; one with them is a secret as a whole. */
const isSecret = (address: string): boolean => address === secretMask || shownProxy(address) !== address

function short({ name, slugName, icon, proxyUrl }: Entry): Entry {
  const isUsualIcon = icon === undefined || icon === 'location'
  return inOrder({
    name,
    slugName,
    ...(!isUsualIcon && { icon }),
    ...((proxyUrl ?? '') !== '' && { proxyUrl }),
  }) as Entry
}

/** Parses it with an address that stands for the one which is sent apart. */
function parsedLocation({ proxyUrl, ...entry }: Entry) {
  const isApart = proxyUrl === secretMask
  const location = parsed(schema, { ...entry, ...(proxyUrl !== undefined && !isApart && { proxyUrl }) }, ['proxyUrl'])
  return { ...location, ...(isApart && { proxyUrl: secretMask }) }
}

export function privateLocationKind(deps: ApiDeps): FileKind {
  const verbs = locationVerbs(deps)
  return {
    kind: 'privateLocation',
    section: 'privateLocations',
    title: 'private location',
    nameField: 'slugName',
    nameOf: (entry) => textAt(entry, 'slugName'),
    async read({ client, account }) {
      const { rows } = await listLocations(client, account, { limit: null, offset: 0 })
      return rows.map((row): Held => {
        const proxy = openedProxy(deps.vault, account, row)
        const hidden = proxy !== null && isSecret(proxy) ? proxy : undefined
        const proxyUrl = hidden === undefined ? proxy : secretMask
        return {
          id: row.id,
          name: row.slug,
          entry: short({ name: row.name, slugName: row.slug, icon: row.icon, proxyUrl }),
          secrets: new Map(hidden === undefined ? [] : [['proxyUrl', hidden]]),
        }
      })
    },
    canonical: (entry) => short(parsedLocation(entry)),
    secretPaths: ({ proxyUrl }) => (typeof proxyUrl === 'string' && isSecret(proxyUrl) ? ['proxyUrl'] : []),
    async create(ctx, entry) {
      refusePlainProxy(entry)
      return (await verbs.create(ctx, parsed(schema, entry, ['proxyUrl']))).location.id
    },
    change(ctx, { held, entry }) {
      const { name, icon = 'location', proxyUrl = null } = parsed(schema, entry, ['proxyUrl'])
      return verbs.update(ctx, String(held.id), { name, icon, proxyUrl })
    },
    remove: (ctx, { id }) => verbs.remove(ctx, String(id)),
  }
}

function refusePlainProxy({ proxyUrl }: Entry): void {
  if (proxyUrl === secretMask) throw invalidField('proxyUrl', 'is a mask; send the address itself')
}
