export { refreshNotRunnable } from './refresh-not-runnable.ts'
export { checkRoutes } from './routes.ts'
