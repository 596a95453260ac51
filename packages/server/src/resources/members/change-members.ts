import type { AccountMember, MemberRole } from '@vedette/wire'
import type { Change, VerbContext } from '../../access/write.ts'
import { conflict, forbidden } from '../../api-error.ts'
import type { ApiDeps } from '../api-deps.ts'
import { deleteInvite } from './invite-store.ts'
import { lockMembers, readLeaders, readMember, removeMember, setRole } from './store.ts'

const resource = 'members'

/** Changes what members may do, and takes them out. Acts on their next request. */
export const memberVerbs = ({ write, authenticate }: Pick<ApiDeps, 'write' | 'authenticate'>) => ({
  changeRole(ctx: VerbContext, userId: string, role: MemberRole): Promise<AccountMember> {
    return write(ctx, { action: 'update', resource }, async (change) => {
      const before = await lockedMember(change, ctx, userId)
      if (before.role === role) return { id: userId, answer: before, unchanged: true }
      await refuseUnlessOwner(change, ctx, before.role === 'OWNER' || role === 'OWNER')
      await keepLeaders(change, ctx, before, role)
      await setRole(change.client, ctx.accountId, { userId, role, at: change.at })
      const after = await change.existing('member', readMember(change.client, ctx.accountId, userId))
      return { id: userId, answer: after, before, after, announce: () => authenticate.forget() }
    })
  },

  /** Takes a member out, or an invitation back. */
  remove(ctx: VerbContext, id: string): Promise<undefined> {
    return write(ctx, { action: 'delete', resource }, async (change) => {
      const { client, at } = change
      const invite = await deleteInvite(client, ctx.accountId, id, at)
      if (invite) return { id, answer: undefined, before: invite }
      const before = await lockedMember(change, ctx, id)
      await refuseUnlessOwner(change, ctx, before.role === 'OWNER')
      await keepLeaders(change, ctx, before, undefined)
      await removeMember(client, ctx.accountId, id, at)
      return { id, answer: undefined, before, announce: () => authenticate.forget() }
    })
  },
})

async function lockedMember({ client, existing }: Change, ctx: VerbContext, userId: string): Promise<AccountMember> {
  await lockMembers(client, ctx.accountId)
  return existing('member', readMember(client, ctx.accountId, userId))
}

/** Owners are changed by owners. Where there is none, any admin may make one. */
async function refuseUnlessOwner({ client }: Change, ctx: VerbContext, concernsOwner: boolean): Promise<void> {
  if (!concernsOwner) return
  const { owners, isOwner } = await readLeaders(client, ctx.accountId, ctx.actor)
  if (owners > 0 && !isOwner) throw forbidden('Only an owner of the account may change or make owners.')
}

/** Nobody could put right an account without owner or admin. */
async function keepLeaders(
  { client }: Change,
  ctx: VerbContext,
  member: AccountMember,
  next: MemberRole | undefined,
): Promise<void> {
  const { owners, admins } = await readLeaders(client, ctx.accountId, ctx.actor)
  if (member.role === 'OWNER' && owners === 1)
    throw conflict(`${member.email} is the last owner; make somebody else an owner first.`)
  const leads = ['OWNER', 'ADMIN'].includes(member.role) && !['OWNER', 'ADMIN'].includes(next ?? '')
  if (leads && admins === 1) throw conflict(`${member.email} is the last admin; make somebody else an admin first.`)
}
