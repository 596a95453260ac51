import { join } from 'node:path'
import { hash32, type Job } from '@vedette/wire'
import { fillDisk, freeDisk } from '../../../../agent/test-support/full-disk.ts'
import {
  startSimulatedAgent,
  type Found,
  type PlannedRun,
  type SimulatedAgent,
} from '../../../../agent/test-support/simulated-agent.ts'
import { Life, mortalClock, type Traffic } from '../mortal.ts'
import { seededRandom, type Random } from '../random.ts'
import type { AgentPlan } from '../script.ts'
import type { TestClock } from '../../clock.ts'
import type { Health } from '../target.ts'
import { HostClock } from './host-clock.ts'
import { postOver, type Address, type Link } from './network.ts'

export interface AgentHostOptions {
  plan: AgentPlan
  /** Location key. */
  key: string
  seed: number
  folder: string
  clock: TestClock
  traffic: Traffic
  addresses: readonly Address[]
  health: (checkId: string, location: string) => Health
  /** Messages are lost and runs take their time. */
  unreliable: boolean
  note: (event: string) => void
}

/** The host of an agent: its clock, disk and network outlive the agent's process. */
export class AgentHost {
  readonly clock: HostClock
  readonly link: Link
  readonly #options: AgentHostOptions
  readonly #random: Random
  #life = new Life()
  #agent: SimulatedAgent | undefined
  /** Its runs never end. */
  wedged = false
  /** No target can be reached. */
  unplugged = false

  constructor(options: AgentHostOptions) {
    this.#options = options
    this.#random = seededRandom(options.seed ^ hash32(options.plan.name))
    this.clock = new HostClock(options.clock, options.plan.aheadMs)
    this.link = { cut: undefined, unreliable: options.unreliable }
  }

  get name(): string {
    return this.#options.plan.name
  }

  get location(): string {
    return this.#options.plan.location
  }

  get life(): Life {
    return this.#life
  }

  get spooled(): number {
    return this.#agent?.spooled ?? 0
  }

  get dropped(): number {
    return this.#agent?.dropped ?? 0
  }

  /** True while it can run checks and report them. */
  get isWell(): boolean {
    return this.canCall && !this.wedged && !this.unplugged
  }

  /** True while it is heard. */
  get canCall(): boolean {
    return this.#agent !== undefined && this.#life.running && !this.link.cut
  }

  get #folder(): string {
    return join(this.#options.folder, this.name)
  }

  async start(): Promise<void> {
    if (this.#agent !== undefined) return
    const { clock, traffic, addresses, plan, key, note } = this.#options
    const life = new Life()
    this.#life = life
    const random = this.#random
    const say = (...said: unknown[]) => note(`${this.name}: ${said.map(textOf).join(' ')}`)
    this.#agent = await startSimulatedAgent({
      key,
      spoolDir: this.#folder,
      slots: plan.slots,
      clock: mortalClock(this.clock, life),
      random: () => random.next(),
      log: { debug: () => undefined, info: () => undefined, warn: say, error: say },
      post: postOver({ clock, traffic, addresses }, { link: this.link, life, random }),
      plan: (job) => this.#planOf(job),
      onDisk: (work) => onDisk(work, life, traffic),
    })
  }

  async crash(): Promise<void> {
    const agent = this.#agent
    this.#agent = undefined
    this.#life.die()
    if (agent !== undefined) await this.#options.traffic.track(agent.leaveFolder())
  }

  /** Nothing is wrong with it any more. */
  async heal(): Promise<void> {
    const mustBeReplaced = this.wedged
    this.wedged = false
    this.unplugged = false
    this.link.cut = undefined
    this.link.unreliable = false
    this.freeDisk()
    this.#life.resume()
    if (mustBeReplaced) await this.crash()
    await this.start()
  }

  async fillDisk(): Promise<void> {
    await this.#options.traffic.track(fillDisk(this.#folder))
  }

  freeDisk(): void {
    freeDisk(this.#folder)
  }

  /** Chances of a run follow from its id, so that they do not depend on what happened before. */
  #planOf(job: Job): PlannedRun {
    if (this.wedged) return { tookMs: Infinity, found: 'internal-error' }
    if (this.unplugged) return { tookMs: 5, found: 'no-network' }
    const random = seededRandom(this.#options.seed ^ hash32(job.attemptId))
    const found: Found = this.#options.health(job.checkId, job.location)
    if (found === 'silent') return { tookMs: job.timeoutMs, found }
    if (!this.link.unreliable || random.chance(0.7)) return { tookMs: random.between(20, 2000), found }
    if (random.chance(0.95)) return { tookMs: random.between(3000, 15_000), found }
    return { tookMs: random.chance(0.5) ? job.timeoutMs + 5000 : random.between(20, 2000), found: 'internal-error' }
  }
}

/** The disk works on while a process is paused; it hears of it later, or never. */
async function onDisk<T>(work: Promise<T>, life: Life, traffic: Traffic): Promise<T> {
  try {
    return await traffic.track(work)
  } finally {
    await life.awake()
  }
}

const textOf = (said: unknown): string => {
  if (typeof said === 'string') return said
  const { error, ...more } = said as { error?: unknown }
  return `${error instanceof Error ? error.message : ''} ${JSON.stringify(more)}`.trim()
}

/** Whether all agents of each location are well, and one of them can call. */
export function agentsByLocation(
  agents: Iterable<Pick<AgentHost, 'location' | 'isWell' | 'canCall'>>,
): Map<string, { areWell: boolean; canCall: boolean }> {
  const places = new Map<string, { areWell: boolean; canCall: boolean }>()
  for (const { location, isWell, canCall } of agents) {
    const others = places.get(location) ?? { areWell: true, canCall: false }
    places.set(location, { areWell: others.areWell && isWell, canCall: others.canCall || canCall })
  }
  return places
}
