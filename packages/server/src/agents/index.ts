export { agentKeyRoutes } from './agent-key-routes.ts'
export { agentListRoutes } from './agent-list-routes.ts'
export { agentRoutes } from './agent-routes.ts'
