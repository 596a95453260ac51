export { inviteInto, sendInvite } from './invite.ts'
