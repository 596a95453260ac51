import { randomUUID } from 'node:crypto'
import { memberRoleOf } from '@vedette/wire'
import { conflict } from '../api-error.ts'
import type { SignInOptions } from './open-session.ts'
import { inviteStore, type PendingInvite } from './invite-store.ts'

/** Who joins: somebody who has signed in, or somebody new. */
export type Joining = { userId: string } | { name: string; passwordHash: string }

/** Uses up an invitation. Undefined when somebody else was faster. */
export const joinAccount =
  ({ store: { db }, write, authenticate }: SignInOptions) =>
  (requestId: string, invite: PendingInvite, person: Joining) => {
    const invites = inviteStore(db)
    const userId = 'userId' in person ? person.userId : randomUUID()
    const { accountId, email, role } = invite
    const ctx = { accountId, actor: `user:${userId}`, requestId }
    return write(ctx, { action: 'create', resource: 'members' }, async ({ client, at }) => {
      if (!(await invites.use(client, invite.id, at))) return { id: userId, answer: undefined, unchanged: true }
      const known = 'userId' in person ? userId : await invites.addUser(client, { ...person, userId, email, at })
      if (known === undefined)
        throw conflict(`${email} has joined elsewhere meanwhile; sign in and open the link again.`)
      const owner = await invites.addMember(client, { accountId, userId: known, role, at })
      const after = { userId: known, email, role: owner ? 'OWNER' : memberRoleOf(role) }
      return { id: known, answer: { userId: known, accountId }, after, announce: () => authenticate.forget() }
    })
  }
