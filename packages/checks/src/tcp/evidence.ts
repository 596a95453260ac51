/** What a run of a TCP check saw. `response` is absent when no connection came about. Phases are milliseconds. */
export interface TcpEvidence {
  request: { hostname: string; port: number; data: string | null; ipFamily: string }
  response?: {
    data: string
    truncated: boolean
    remoteAddress: string
    timingPhases: { dns: number; connection: number; data: number; total: number }
  }
}
