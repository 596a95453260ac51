export { coverageGapRoutes } from './routes.ts'
