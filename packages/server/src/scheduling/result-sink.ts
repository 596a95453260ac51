import type { CommittedResult, IncomingResult } from '../runs.ts'

/** Where results go: ingest, as far as scheduling and the agent routes know it. */
export interface ResultSink {
  /** Resolves after COMMIT. What is in neither list was not stored for a passing reason. */
  accept(
    results: readonly IncomingResult[],
  ): Promise<{ accepted: string[]; rejected: { attemptId: string; reason: string }[] }>
  onCommitted(listener: (results: readonly CommittedResult[]) => void): () => void
}

export interface SchedulingLog {
  info(text: string): void
  error(details: object, text: string): void
}
