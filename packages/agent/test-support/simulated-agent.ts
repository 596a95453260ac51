import type { Clock, Job } from '@vedette/wire'
import { Agent } from '../src/agent.ts'
import type { Spool } from '../src/delivery/spool.ts'
import { openSpool } from '../src/delivery/open-spool.ts'
import type { Log } from '../src/log.ts'
import type { PostJson } from '../src/protocol/post-json.ts'
import { SimulatedExecution, type PlannedRun, type SimulatedExecutionOptions } from './simulated-execution.ts'

export type { PostJson } from '../src/protocol/post-json.ts'
export type { Found, PlannedRun } from './simulated-execution.ts'

export interface SimulatedAgentOptions {
  /** Location key. */
  key: string
  spoolDir: string
  /** Runs at once; null leaves it to the agent. */
  slots: number | null
  clock: Clock
  random: () => number
  log: Log
  /** Carries messages to the server. */
  post: PostJson
  plan: (job: Job) => PlannedRun
  /** Wraps work on the disk, so that simulated time stands still meanwhile. */
  onDisk: <T>(work: Promise<T>) => Promise<T>
}

/** A real agent on a real spool, whose network, clock and runs are simulated. */
export interface SimulatedAgent {
  readonly id: string
  readonly spooled: number
  /** Results that neither server nor disk took. */
  readonly dropped: number
  /** Gives its folder up, as the end of its process does. Its timers must not fire any more. */
  leaveFolder(): Promise<void>
}

export async function startSimulatedAgent(options: SimulatedAgentOptions): Promise<SimulatedAgent> {
  const { clock, random, log, post, plan, key, slots, spoolDir } = options
  const spool = await options.onDisk(openSpool({ folder: spoolDir, log }, clock))
  const settings = {
    url: 'http://127.0.0.1:1',
    key,
    concurrency: slots,
    healthPort: null,
    spoolDir,
    logLevel: 'error' as const,
    reportCrashes: true,
    drainGraceMs: 30_000,
    controlName: null,
    packetCapture: false,
    sharesServerClock: false,
  }
  const execution = ({ clockOffset, onEnd }: Pick<SimulatedExecutionOptions, 'clockOffset' | 'onEnd'>) =>
    new SimulatedExecution({ clock, plan, clockOffset, onEnd })
  const agent = new Agent(settings, { log, clock, random, post, execution, loopDelay }, watched(spool, options.onDisk))
  await agent.start()
  return {
    id: agent.id,
    get spooled() {
      return spool.size
    },
    get dropped() {
      return Number(agent.health().details.dropped)
    },
    leaveFolder: () => spool.close(),
  }
}

const loopDelay = { max: 0, enable: () => true, disable: () => true, reset: () => undefined }

/** The spool whose work on the disk is waited for. */
function watched(spool: Spool, onDisk: SimulatedAgentOptions['onDisk']): Spool {
  return new Proxy(spool, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        const answer: unknown = Reflect.apply(member, target, args)
        return answer instanceof Promise ? onDisk(answer) : answer
      }
    },
  })
}
