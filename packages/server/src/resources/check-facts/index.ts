export { checkFactsRoutes } from './routes.ts'
