export { mergeGroup } from './group-definition.ts'
export { listGroups } from './store.ts'
export { groupVerbs, toGroups } from './write-group.ts'
