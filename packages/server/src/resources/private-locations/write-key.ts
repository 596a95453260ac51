import { randomUUID } from 'node:crypto'
import { mostLocationKeys, privateLocationId, type PrivateLocationId, type PrivateLocationKey } from '@vedette/wire'
import { mintToken } from '../../access/secret-token.ts'
import type { VerbContext } from '../../access/write.ts'
import { conflict } from '../../api-error.ts'
import type { Queryable } from '../../db/database.ts'
import type { ApiDeps } from '../api-deps.ts'
import { insertLocationKey, readLocationKeys, revokeLocationKey } from './key-store.ts'
import { readLocation } from './store.ts'
import { toKey } from './to-location.ts'

const resource = 'private-location-keys'

/** Stores a new key inside a write. Only this answer has the raw key. */
export async function mintLocationKey(
  client: Queryable,
  account: string,
  { location, at }: { location: PrivateLocationId; at: Date },
): Promise<{ key: PrivateLocationKey; raw: string }> {
  const { raw, hash, masked } = mintToken('vdl_')
  const key = await insertLocationKey(client, account, { id: randomUUID(), location, hash, masked, at })
  return { key: toKey(key), raw }
}

/** Creates and revokes the keys with which agents of a private location sign in. */
export const locationKeyVerbs = ({ write, hooks }: Pick<ApiDeps, 'write' | 'hooks'>) => ({
  create(ctx: VerbContext, id: string): Promise<PrivateLocationKey> {
    return write(ctx, { action: 'create', resource }, async ({ client, at, existing }) => {
      const account = ctx.accountId
      await existing('private location', unversioned(readLocation(client, account, id, true)))
      const location = privateLocationId(id)
      const keys = await readLocationKeys(client, account, [location])
      if (keys.length >= mostLocationKeys)
        throw conflict(
          `There are ${mostLocationKeys} keys already (${keys.map(({ maskedKey }) => maskedKey).join(', ')}); delete one first.`,
        )
      const { key, raw } = await mintLocationKey(client, account, { location, at })
      return {
        id: key.id,
        answer: { ...key, rawKey: raw },
        after: { ...key, location },
        announce: () => hooks.locationsChanged(),
      }
    })
  },

  /** Its agents are refused from now on. */
  revoke(ctx: VerbContext, id: string, keyId: string): Promise<void> {
    return write(ctx, { action: 'revoke', resource }, async ({ client, at, existing }) => {
      const account = ctx.accountId
      await existing('private location', unversioned(readLocation(client, account, id, true)))
      const revoked = revokeLocationKey(client, account, { id: keyId, location: privateLocationId(id), at })
      const before = await existing('key of the private location', revoked)
      return { id: keyId, answer: undefined, before: { ...before }, announce: () => hooks.locationsChanged() }
    })
  },
})

/** `If-Match` is about the location itself: its keys may change whatever version the caller has seen. */
const unversioned = async (row: ReturnType<typeof readLocation>): Promise<object | undefined> => (await row) && {}
