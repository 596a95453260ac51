import { randomUUID } from 'node:crypto'
import type { ApiKeyCreate, CreatedApiKey } from '@vedette/wire'
import { mintToken } from '../../access/secret-token.ts'
import type { VerbContext } from '../../access/write.ts'
import type { ApiDeps } from '../api-deps.ts'
import { invalidField } from '../../api-error.ts'
import { insertApiKey, revokeApiKey } from './store.ts'

const resource = 'api-keys'

/** Creates and revokes API keys. */
export const apiKeyVerbs = ({ write, authenticate }: ApiDeps) => ({
  /** The key itself is in this answer only. */
  create(ctx: VerbContext, { name, role, expiresAt, personal }: ApiKeyCreate): Promise<CreatedApiKey> {
    const { raw, hash, masked } = mintToken('vdu_')
    const id = randomUUID()
    const userId = personal === true ? personOf(ctx) : null
    return write(ctx, { action: 'create', resource }, async ({ client, at, existing }) => {
      const end = expiresAt === undefined ? null : new Date(expiresAt)
      if (end !== null && end <= at) throw invalidField('expiresAt', `must be in the future, got ${expiresAt}`)
      const key = { id, name, role, hash, masked, at, expiresAt: end, userId }
      const created = await existing('API key', insertApiKey(client, ctx.accountId, key))
      return { id, answer: { ...created, rawKey: raw }, after: created }
    })
  },

  /** Callers with the key are refused from now on. */
  revoke(ctx: VerbContext, id: string) {
    return write(ctx, { action: 'revoke', resource }, async ({ client, at, existing }) => {
      const before = await existing('API key', revokeApiKey(client, ctx.accountId, id, at))
      return { id, answer: undefined, before, announce: () => authenticate.forget() }
    })
  },
})

function personOf({ actor }: VerbContext): string {
  if (!actor.startsWith('user:')) throw invalidField('personal', 'is for people: sign in to the web app')
  return actor.slice('user:'.length)
}
