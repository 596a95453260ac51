import type { Clock, HelloRequest, RenewRequest } from '@vedette/wire'
import { LRUCache } from 'lru-cache'
import type { AgentKey } from './store.ts'

/** An agent without a call for this long is shown as silent. */
const silentAfterMs = 60_000
/** An agent without a call for this long is removed. */
const forgetAfterMs = 60 * 60_000
/** Bounds the memory that hostile agents can fill with made-up ids. */
const mostAgents = 5000

export interface AgentPresence {
  agentId: string
  key: AgentKey
  version: string | null
  protocol: number | null
  checkTypes: string[]
  capabilities: string[]
  lastSeenAt: number
  /** The same, monotonic. */
  seenAt: number
  vitals: RenewRequest['vitals'] | null
  /** Server clock minus agent clock in milliseconds, as of its last result. */
  clockOffsetMs: number | null
  /** Crashes of its threads since its hello. */
  crashes: number
  state: 'online' | 'silent'
}

/** The agents known to this process, in memory only: agents say hello again by themselves. */
export class Presence {
  readonly #clock: Clock
  readonly #agents: LRUCache<string, AgentPresence>

  constructor(clock: Clock) {
    this.#clock = clock
    this.#agents = new LRUCache({
      max: mostAgents,
      ttl: forgetAfterMs,
      ttlResolution: 0,
      perf: { now: () => clock.monotonic() },
    })
  }

  hello(key: AgentKey, { agentId, version, protocol, checkTypes, capabilities }: HelloRequest): void {
    Object.assign(this.seen(key, agentId), { version, protocol, checkTypes, capabilities, crashes: 0 })
  }

  renewed(key: AgentKey, { agentId, vitals, crashes = [] }: RenewRequest): void {
    const agent = this.seen(key, agentId)
    agent.vitals = vitals
    agent.crashes += crashes.length
  }

  clockOffset(key: AgentKey, agentId: string, offsetMs: number): void {
    this.seen(key, agentId).clockOffsetMs = offsetMs
  }

  seen(key: AgentKey, agentId: string): AgentPresence {
    const id = `${key.id} ${agentId}`
    const known = this.#agents.get(id) ?? {
      agentId,
      key,
      version: null,
      protocol: null,
      checkTypes: [],
      capabilities: [],
      lastSeenAt: 0,
      seenAt: 0,
      vitals: null,
      clockOffsetMs: null,
      crashes: 0,
      state: 'online' as const,
    }
    known.lastSeenAt = this.#clock.now()
    known.seenAt = this.#clock.monotonic()
    this.#agents.set(id, known)
    return known
  }

  goodbye(key: AgentKey, agentId: string): void {
    this.#agents.delete(`${key.id} ${agentId}`)
  }

  list(): AgentPresence[] {
    const now = this.#clock.monotonic()
    const agents = [...this.#agents.rvalues()].filter((agent) => agent !== undefined)
    return agents.map((agent) => ({
      ...agent,
      state: now - agent.seenAt > silentAfterMs ? 'silent' : 'online',
    }))
  }
}
