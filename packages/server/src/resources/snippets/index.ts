export { snippetRoutes } from './routes.ts'
export { unknownSnippets } from './store.ts'
