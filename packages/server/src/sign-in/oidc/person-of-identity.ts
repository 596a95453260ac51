import { randomUUID } from 'node:crypto'
import { memberRoleOf } from '@vedette/wire'
import type { SignInOptions } from '../open-session.ts'
import { identityStore } from './identity-store.ts'
import type { Identity, OidcSettings } from './provider.ts'

/** Why somebody whom the provider knows is not let in; the sign-in page says it in words. */
export type Refusal = 'email' | 'domain' | 'unknown' | 'connect'

type Person = { userId: string; accountId: string }

/** Finds or makes the person behind an identity. `signedIn` is whoever wants to connect it to themselves. */
export function personOfIdentity(options: SignInOptions, settings: OidcSettings) {
  const people = identityStore(options.store.db)
  const connect = connectIdentity(options)

  return async (
    requestId: string,
    identity: Identity,
    signedIn: Person | undefined,
  ): Promise<Person | { refusal: Refusal }> => {
    const { email } = identity
    if (email === undefined) return { refusal: 'email' }
    if (!isOfDomain(email, settings.domains)) return { refusal: 'domain' }
    if (signedIn !== undefined) {
      const own = await people.emailOf(signedIn.userId)
      if (own?.toLowerCase() !== email.toLowerCase()) return { refusal: 'connect' }
      await connect(requestId, identity, signedIn)
      return signedIn
    }
    const known = await people.byIdentity(identity)
    if (known) return known
    const same = await people.byEmail(email)
    if (!same) return (await joinAsNew(options, settings, requestId, { ...identity, email })) ?? { refusal: 'unknown' }
    // Somebody else may have set that password: only its owner says that both are the same person.
    if (same.isGuarded) return { refusal: 'connect' }
    await connect(requestId, identity, same)
    return same
  }
}

const isOfDomain = (email: string, domains: readonly string[] | undefined): boolean =>
  domains === undefined || domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase())

const connectIdentity =
  ({ store, write }: SignInOptions) =>
  (requestId: string, identity: Identity, { userId, accountId }: Person): Promise<undefined> =>
    write(
      { accountId, actor: `user:${userId}`, requestId },
      { action: 'update', resource: 'users' },
      async ({ client, at }) => {
        await identityStore(store.db).connect(client, identity, userId, at)
        return { id: userId, answer: undefined, after: { identityProvider: identity.issuer } }
      },
    )

/** Undefined when nobody new is let in. */
async function joinAsNew(
  { store, write }: SignInOptions,
  { role, accountId: wanted }: OidcSettings,
  requestId: string,
  identity: Identity & { email: string },
): Promise<Person | undefined> {
  const people = identityStore(store.db)
  const accountId = role === undefined ? undefined : await people.accountForNew(wanted)
  if (role === undefined || accountId === undefined) return undefined
  const drafted = randomUUID()
  const { email, name = email.split('@')[0] ?? email } = identity
  const ctx = { accountId, actor: `user:${drafted}`, requestId }
  return write(ctx, { action: 'create', resource: 'members' }, async ({ client, at }) => {
    const userId = await people.addMember(client, { userId: drafted, email, name, accountId, role, at })
    await people.connect(client, identity, userId, at)
    return { id: userId, answer: { userId, accountId }, after: { userId, email, role: memberRoleOf(role) } }
  })
}
