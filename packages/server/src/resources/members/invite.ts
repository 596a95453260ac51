import { randomUUID } from 'node:crypto'
import { roleOfMember, type AccountInviteCreate, type CreatedAccountInvite } from '@vedette/wire'
import { nameOfActor } from '../../access/credential-store.ts'
import { mintToken } from '../../access/secret-token.ts'
import type { VerbContext } from '../../access/write.ts'
import { conflict } from '../../api-error.ts'
import type { ApiDeps } from '../api-deps.ts'
import { mailInvite } from './invite-mail.ts'
import { insertInvite, isMember, nameOfAccount } from './invite-store.ts'

const lifetimeMs = 7 * 24 * 3600_000

type Deps = Pick<ApiDeps, 'db' | 'write' | 'clock' | 'baseUrl' | 'outgoing'>

/** Invites somebody. The link is in this answer, and in the mail if a mail server is set. */
export const inviteMember =
  (deps: Deps) =>
  async (ctx: VerbContext, { email, role }: AccountInviteCreate): Promise<CreatedAccountInvite> => {
    const { raw, hash } = mintToken('vdi_')
    const { invite, accountName } = await deps.write(
      ctx,
      { action: 'create', resource: 'members' },
      async ({ client, at }) => {
        if (await isMember(client, ctx.accountId, email)) throw conflict(`${email} is a member already.`)
        const made = await insertInvite(client, ctx.accountId, {
          id: randomUUID(),
          email,
          role: roleOfMember(role),
          hash,
          inviter: await nameOfActor(client, ctx.actor),
          at,
          expiresAt: new Date(at.getTime() + lifetimeMs),
        })
        if (!made) throw conflict(`${email} is invited already; delete that invitation to make a new one.`)
        const name = await nameOfAccount(client, ctx.accountId)
        return { id: made.id, answer: { invite: made, accountName: name }, after: made }
      },
    )
    const link = `${deps.baseUrl()}/join?token=${raw}`
    return { ...invite, link, mail: await mailInvite({ ...invite, link, accountName }, deps) }
  }
