export { alertChannelRoutes } from './routes.ts'
