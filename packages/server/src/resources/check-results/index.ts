export { checkResultRoutes } from './routes.ts'
export { toResult } from './to-result.ts'
