import { randomUUID } from 'node:crypto'
import { roleOfMember, type AccountInvite, type AccountInviteCreate, type CreatedAccountInvite } from '@vedette/wire'
import { nameOfActor } from '../../access/credential-store.ts'
import { mintToken } from '../../access/secret-token.ts'
import type { Change, VerbContext } from '../../access/write.ts'
import { conflict } from '../../api-error.ts'
import type { ApiDeps } from '../api-deps.ts'
import { mailInvite } from './invite-mail.ts'
import { insertInvite, isMember, nameOfAccount } from './invite-store.ts'

const lifetimeMs = 7 * 24 * 3600_000

type Deps = Pick<ApiDeps, 'db' | 'write' | 'clock' | 'baseUrl' | 'outgoing'>

/** Invites somebody. The link is in this answer, and in the mail if a mail server is set. */
export const inviteMember = (deps: Deps) => {
  const into = inviteInto(deps)
  return async (ctx: VerbContext, sent: AccountInviteCreate): Promise<CreatedAccountInvite> => {
    const made = await deps.write(ctx, { action: 'create', resource: 'members' }, async (change) => {
      const stored = await into(change, ctx, { ...sent, account: ctx.accountId })
      return { id: stored.invite.id, answer: stored, after: stored.invite }
    })
    return made.send()
  }
}

/** Stores an invitation, inside a write. `send` makes the link and mails it, once the write is done. */
export const inviteInto =
  (deps: Deps) =>
  async (
    { client, at }: Pick<Change, 'client' | 'at'>,
    { actor }: VerbContext,
    { account, email, role }: AccountInviteCreate & { account: string },
  ): Promise<{ invite: AccountInvite; send: () => Promise<CreatedAccountInvite> }> => {
    if (await isMember(client, account, email)) throw conflict(`${email} is a member already.`)
    const { raw, hash } = mintToken('vdi_')
    const invite = await insertInvite(client, account, {
      id: randomUUID(),
      email,
      role: roleOfMember(role),
      hash,
      inviter: await nameOfActor(client, actor),
      at,
      expiresAt: new Date(at.getTime() + lifetimeMs),
    })
    if (!invite) throw conflict(`${email} is invited already; delete that invitation to make a new one.`)
    const accountName = await nameOfAccount(client, account)
    const link = `${deps.baseUrl()}/join?token=${raw}`
    return {
      invite,
      send: async () => ({ ...invite, link, mail: await mailInvite({ ...invite, link, accountName }, deps) }),
    }
  }
