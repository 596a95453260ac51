export { configurationFileRoutes } from './routes.ts'
