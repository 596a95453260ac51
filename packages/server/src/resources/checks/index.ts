export { checkAnswers } from './answers-of-group.ts'
export { refreshNotRunnable } from './refresh-not-runnable.ts'
export { checkRoutes } from './routes.ts'
export { anyCheck, checkList } from './schema.ts'
