export { initialState } from '../alerting/state/alert-state.ts'
export { Ingest } from './ingest.ts'
