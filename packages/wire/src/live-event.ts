import type { CheckState } from './enums.ts'

/** What the server pushes to open pages (server-sent events, one JSON object a message). */
export type LiveEvent =
  | {
      kind: 'result'
      checkId: string
      resultId: string
      resultType: 'FINAL' | 'ATTEMPT'
      outcome: 'pass' | 'fail' | 'unknown'
      degraded: boolean
      /** null for passive checks. */
      location: string | null
      responseTime: number | null
      dueAt: string
      state: CheckState
      cause: string | null
    }
  | { kind: 'check'; checkId: string; change: 'created' | 'updated' | 'deleted' }
  | { kind: 'notification'; checkId: string; notificationId: string; status: string }
