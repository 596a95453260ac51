export { privateLocationRoutes } from './routes.ts'
