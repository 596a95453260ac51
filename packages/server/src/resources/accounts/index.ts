export { accountRoutes } from './routes.ts'
export { installationAccountRoutes } from './installation-routes.ts'
