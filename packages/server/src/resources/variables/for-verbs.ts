export { readSecretValues, variableStore } from './store.ts'
export { variableVerbs } from './write-variable.ts'
