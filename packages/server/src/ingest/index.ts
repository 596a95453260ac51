export { initialState } from './alert-state.ts'
export { Ingest } from './ingest.ts'
