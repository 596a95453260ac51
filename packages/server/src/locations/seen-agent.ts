import type { PrivateLocationId } from '@vedette/wire'

/** An agent of a private location, as a server has heard of it. */
export interface SeenAgent {
  agentId: string
  /** The key with which it called last. */
  keyId: string
  location: PrivateLocationId
  /** null before its hello. */
  version: string | null
  protocol: number | null
  /** What its machine can do and others may not, such as `ping`. */
  capabilities: string[]
  /** Runs under way, and how many there may be; null before it said so. */
  running: number | null
  slots: number | null
  /** Epoch milliseconds. */
  lastSeenAt: number
}
