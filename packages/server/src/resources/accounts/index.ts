export { accountRoutes } from './routes.ts'
export { listAccounts } from './store.ts'
export { updateAccount } from './update-account.ts'
