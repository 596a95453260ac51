export { checkHistoryRoutes } from './routes.ts'
