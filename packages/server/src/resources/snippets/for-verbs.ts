export { unknownSnippets } from './store.ts'
