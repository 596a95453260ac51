export { initialState } from '../alerting/state/alert-state.ts'
export { Ingest } from './ingest.ts'
export type { IngestCondition } from './setbacks.ts'
