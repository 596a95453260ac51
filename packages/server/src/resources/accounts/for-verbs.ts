export { listAccounts } from './store.ts'
export { updateAccount } from './update-account.ts'
