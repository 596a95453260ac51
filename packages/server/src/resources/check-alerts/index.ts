export { checkAlertRoutes } from './routes.ts'
