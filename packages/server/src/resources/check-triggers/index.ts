export { checkTriggerRoutes } from './routes.ts'
