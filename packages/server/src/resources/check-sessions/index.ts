export { checkSessionRoutes } from './routes.ts'
