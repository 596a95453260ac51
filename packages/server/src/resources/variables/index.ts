export { variableRoutes } from './routes.ts'
