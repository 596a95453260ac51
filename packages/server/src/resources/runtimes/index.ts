export { runtimeRoutes } from './routes.ts'
