export { awaitSession } from './await-session.ts'
export { sessionLink } from './to-session.ts'
export { runTarget } from './trigger-sessions.ts'
