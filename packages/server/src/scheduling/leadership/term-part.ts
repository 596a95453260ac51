import type { PoolClient } from 'pg'
import type { Gap } from '../store.ts'

/** What a part may do while this process leads. */
export interface LeaderTerm {
  /** Runs a transaction that commits only while the term lasts. Throws `TermOver` otherwise. */
  write<T>(work: (client: PoolClient) => Promise<T>): Promise<T>
  /** Time right before the term in which no server was there; undefined when there was none. */
  pause: Gap | undefined
  /** Notes time in which this process stood still. */
  stoodStill(gap: Gap): void
}

/** What begins and ends with the leadership besides the schedule itself. */
export interface TermPart {
  begin(term: LeaderTerm): Promise<void>
  end(): Promise<void>
  /** Checks were created, changed or deleted. Resolves when the part knows. */
  changed(checkIds: readonly string[]): Promise<void>
}
