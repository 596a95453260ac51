export { referenceProblems } from './definition/references.ts'
export { countChecksOfGroup, leaveGroup } from './group-revision-store.ts'
export { changeChecksOfGroup } from './verbs/change-checks-of-group.ts'
