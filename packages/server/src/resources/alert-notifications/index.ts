export { alertNotificationRoutes } from './routes.ts'
