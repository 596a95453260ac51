import type { RunRef } from '../runs.ts'

/** A run in the memory queue. */
export interface RunItem {
  id: string
  /** Unknown when an agent brought the run along from before a restart. */
  ref: RunRef | undefined
  /** `gone`: over, or not yet in a line. */
  state: 'waiting' | 'leased' | 'gone'
  /** Start of the wait. */
  since: number
  keyId: string
  agentId: string
  leasedAt: number
  expiresAt: number
  expiries: number
  superseded: boolean
  releasedAt: number
  /** Of a run brought along on an agent's word: where it may turn out to belong. */
  locations: ReadonlySet<string> | undefined
}

export function newRunItem(id: string, ref: RunRef | undefined, since: number): RunItem {
  return {
    id,
    ref,
    state: 'gone',
    since,
    keyId: '',
    agentId: '',
    leasedAt: 0,
    expiresAt: 0,
    expiries: 0,
    superseded: false,
    releasedAt: 0,
    locations: undefined,
  }
}
