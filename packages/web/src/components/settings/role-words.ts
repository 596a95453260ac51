import type { MemberRole } from '@vedette/wire'

/** What people call the roles of members, and what each may do. */
export const roleWords: Record<MemberRole, { name: string; may: string }> = {
  READ_ONLY: { name: 'Reader', may: 'sees everything' },
  READ_RUN: { name: 'Runner', may: 'also runs checks and acknowledges trouble' },
  READ_WRITE: { name: 'Editor', may: 'also changes checks, channels and variables' },
  ADMIN: { name: 'Admin', may: 'also changes members, keys and the account' },
  OWNER: { name: 'Owner', may: 'is an admin whom only owners can change' },
}
