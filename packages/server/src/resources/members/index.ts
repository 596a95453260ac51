export { inviteInto } from './invite.ts'
export { memberRoutes } from './routes.ts'
