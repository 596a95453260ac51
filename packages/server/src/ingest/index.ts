export { initialState } from '../alerting/state/alert-state.ts'
export { Ingest, type IngestCondition } from './ingest.ts'
