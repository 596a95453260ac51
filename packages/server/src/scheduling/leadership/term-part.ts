import type { PoolClient } from 'pg'
import type { Fence } from '../../runs.ts'
import type { Gap } from '../store.ts'

/** Access of a part to the term of this process. */
export interface LeaderTerm {
  /** Runs a transaction that commits only while the term lasts. Throws `TermOver` otherwise. */
  write<T>(work: (client: PoolClient) => Promise<T>): Promise<T>
  /** For results, which are stored by ingest. */
  fence(): Fence | undefined
  /** Time right before the term in which no server ran; undefined when there was none. */
  pause: Gap | undefined
  /** Records time in which this process was suspended. */
  stoodStill(gap: Gap): void
}

/** A part that starts and ends with the leadership, besides the schedule itself. */
export interface TermPart {
  begin(term: LeaderTerm): Promise<void>
  end(): Promise<void>
  /** Checks were created, changed or deleted. Resolves when the part has their current state. */
  changed(checkIds: readonly string[]): Promise<void>
}
