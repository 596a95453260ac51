export { emptyGroup, mergeGroup } from './group-definition.ts'
export { checkGroupRoutes } from './routes.ts'
export { listGroups } from './store.ts'
export { groupVerbs, toGroups } from './write-group.ts'
