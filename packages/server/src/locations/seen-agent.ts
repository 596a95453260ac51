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
  /** Epoch milliseconds. */
  lastSeenAt: number
}
