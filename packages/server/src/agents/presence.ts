import type { Clock, HelloRequest, RenewRequest } from '@vedette/wire'
import { LRUCache } from 'lru-cache'
import { storableText } from '../storable.ts'
import type { AgentKey } from './store.ts'

/** An agent without a call for this long is shown as silent. */
export const silentAfterMs = 60_000
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
  /** How many runs it takes at once, of all worker classes; null before its hello. */
  slots: number | null
  lastSeenAt: number
  /** Monotonic time of its hello and of its last call. */
  helloAt: number
  heardAt: number
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
  #askedAt: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
    const perf = { now: () => clock.monotonic() }
    this.#agents = new LRUCache({ max: mostAgents, ttl: forgetAfterMs, ttlResolution: 0, perf })
  }

  /** Monotonic time of the last call for work; undefined before the first. */
  get askedAt(): number | undefined {
    return this.#askedAt
  }

  /** What it says of itself is stored and shown: an agent may say anything. */
  hello(key: AgentKey, { agentId, protocol, capacity, ...said }: HelloRequest): void {
    Object.assign(this.seen(key, agentId), {
      version: storableText(said.version),
      protocol,
      checkTypes: said.checkTypes.map(storableText),
      capabilities: said.capabilities.map(storableText),
      slots: Object.values(capacity).reduce((sum, each) => sum + each, 0),
      crashes: 0,
      helloAt: this.#clock.monotonic(),
    })
  }

  /** The agent asks for work. */
  asked(key: AgentKey, agentId: string): void {
    this.seen(key, agentId)
    this.#askedAt = this.#clock.monotonic()
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
      slots: null,
      lastSeenAt: 0,
      helloAt: this.#clock.monotonic(),
      heardAt: 0,
      vitals: null,
      clockOffsetMs: null,
      crashes: 0,
      state: 'online' as const,
    }
    known.lastSeenAt = this.#clock.now()
    known.heardAt = this.#clock.monotonic()
    this.#agents.set(id, known)
    return known
  }

  /** Monotonic time of the last call of the agent; undefined when it is not known, or said goodbye. */
  heardAt(key: AgentKey, agentId: string): number | undefined {
    return this.#agents.get(`${key.id} ${agentId}`)?.heardAt
  }

  goodbye(key: AgentKey, agentId: string): void {
    this.#agents.delete(`${key.id} ${agentId}`)
  }

  list(): AgentPresence[] {
    const now = this.#clock.monotonic()
    const agents = [...this.#agents.rvalues()].filter((agent) => agent !== undefined)
    return agents.map((agent) => ({
      ...agent,
      state: now - agent.heardAt > silentAfterMs ? 'silent' : 'online',
    }))
  }
}
