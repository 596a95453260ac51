export { checkRoutes } from './routes.ts'
