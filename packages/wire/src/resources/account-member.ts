import { z } from 'zod'
import type { Role } from '../enums.ts'
import { dateTime } from './answer-fields.ts'

/** What members may do, weakest first. Each role includes the ones before it. Source: reference, "AccountMember". */
export const memberRoles = ['READ_ONLY', 'READ_RUN', 'READ_WRITE', 'ADMIN', 'OWNER'] as const
export type MemberRole = (typeof memberRoles)[number]

/** Roles that an invitation can give. An owner is made of a member. */
export const inviteRoles = ['ADMIN', 'READ_WRITE', 'READ_RUN', 'READ_ONLY'] as const
export type InviteRole = (typeof inviteRoles)[number]

const names: Record<Role, InviteRole> = { read: 'READ_ONLY', run: 'READ_RUN', write: 'READ_WRITE', admin: 'ADMIN' }
const permissions: Record<MemberRole, Role> = {
  READ_ONLY: 'read',
  READ_RUN: 'run',
  READ_WRITE: 'write',
  ADMIN: 'admin',
  OWNER: 'admin',
}

/** What a member may do at most, as keys say it. */
export const roleOfMember = (role: MemberRole): Role => permissions[role]
export const memberRoleOf = (role: Role): InviteRole => names[role]

export const inviteStatuses = ['PENDING', 'EXPIRED'] as const
export const memberStatuses = ['ACTIVE', ...inviteStatuses] as const
export type MemberStatus = (typeof memberStatuses)[number]

/** A person who belongs to an account. Source: reference, "AccountMember". */
export const accountMember = z
  .object({
    type: z.literal('member'),
    accountId: z.string(),
    userId: z.string(),
    name: z.string().nullable(),
    email: z.string(),
    role: z.enum(memberRoles),
    status: z.literal('ACTIVE'),
    createdAt: dateTime,
    updatedAt: dateTime,
    isSupportMembership: z.boolean().describe('Always false: nobody outside supports this installation.'),
    ssoEnabled: z.boolean().describe('The person has signed in with the identity provider.'),
    mfaEnabled: z.boolean().describe('The person signs in with a code besides the password.'),
  })
  .meta({ id: 'AccountMember' })
export type AccountMember = z.infer<typeof accountMember>

/** Somebody who may join an account with a link. Source: reference, "AccountInvite". */
export const accountInvite = z
  .object({
    type: z.literal('invite'),
    id: z.string(),
    accountId: z.string(),
    email: z.string(),
    role: z.enum(inviteRoles),
    status: z.enum(inviteStatuses),
    inviterEmail: z.string().describe('Who invited: an e-mail address, or the name of an API key.'),
    createdAt: dateTime,
    updatedAt: dateTime,
    expiresAt: dateTime,
  })
  .meta({ id: 'AccountInvite' })
export type AccountInvite = z.infer<typeof accountInvite>

export const accountMembersList = z
  .object({
    members: z.array(z.union([accountMember, accountInvite])).describe('The longest known first.'),
    length: z.int().describe('Entries in this answer.'),
    nextId: z.string().nullable().describe('Send it as `nextId` to read on; null at the end.'),
  })
  .meta({ id: 'AccountMembersList' })
export type AccountMembersList = z.infer<typeof accountMembersList>

/** A change of what a member may do. */
export const accountMemberUpdate = z
  .strictObject({ role: z.enum(memberRoles).describe('Only an owner makes another owner, or changes one.') })
  .meta({ id: 'AccountMemberUpdate', examples: [{ role: 'READ_RUN' }] })
export type AccountMemberUpdate = z.infer<typeof accountMemberUpdate>

export const accountInviteCreate = z
  .strictObject({
    email: z.email().max(254).describe('Who is invited. The invitation is for this address alone.'),
    role: z.enum(inviteRoles),
  })
  .meta({ id: 'AccountInviteCreate', examples: [{ email: 'ada@example.com', role: 'READ_WRITE' }] })
export type AccountInviteCreate = z.infer<typeof accountInviteCreate>

/** The answer to an invitation: the only one that holds its link. */
export const accountInviteCreated = z.object({
  ...accountInvite.shape,
  link: z.string().describe('Leads to the page where the person joins. It works once. Shown here and never again.'),
  mail: z
    .enum(['sent', 'failed', 'not set up'])
    .describe('Whether the mail server took the invitation. When it did not, pass the link on yourself.'),
})
export type CreatedAccountInvite = z.infer<typeof accountInviteCreated>

/** What an invitation link says to whoever opens it. */
export const inviteSeen = z.object({
  email: z.string(),
  accountName: z.string(),
  inviter: z.string(),
  role: z.enum(inviteRoles),
  isKnown: z.boolean().describe('The person has an account already and joins after signing in.'),
})
export type InviteSeen = z.infer<typeof inviteSeen>

export const inviteLook = z.strictObject({ token: z.string().min(1).max(200) })

/** Joining by an invitation. Somebody new says their name and sets a password. */
export const inviteAccept = z.strictObject({
  token: z.string().min(1).max(200),
  name: z.string().trim().min(1).max(255).optional(),
  password: z.string().min(10).max(1000).optional(),
})
