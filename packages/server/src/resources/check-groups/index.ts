export { checkGroupRoutes } from './routes.ts'
