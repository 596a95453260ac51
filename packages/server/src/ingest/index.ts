export { initialState, readAlertState, type AlertState } from './alert-state.ts'
export { Ingest, type AcceptAnswer, type CommittedListener, type IngestLog, type IngestOptions } from './ingest.ts'
