export { staticIpRoutes } from './routes.ts'
