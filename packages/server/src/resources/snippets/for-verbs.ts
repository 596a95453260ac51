export { listSnippets, unknownSnippets } from './store.ts'
export { snippetVerbs } from './write-snippet.ts'
