export { checkStatusRoutes } from './routes.ts'
