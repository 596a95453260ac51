export { inviteInto, sendInvite } from './invite.ts'
export { memberRoutes } from './routes.ts'
