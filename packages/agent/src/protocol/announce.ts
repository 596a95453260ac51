import { readFileSync } from 'node:fs'
import { agentProtocolVersion, type HelloRequest, type RenewRequest } from '@vedette/wire'
import { z } from 'zod'
import type { Abilities } from '../execution/abilities.ts'
import { lagMs } from '../execution/loop-delay.ts'

const packageFile = new URL('../../package.json', import.meta.url)
const agentVersion = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(packageFile, 'utf8'))).version

/** When the agent crashed, and the kind of crash. Nothing else is reported about a crash. */
export interface Crash {
  at: number
  code: string
}

/** Most crashes that a renewal may report; older ones are forgotten. */
export const crashLimit = 100

/** Longest list in a message of the protocol. */
const listLimit = 10_000

export const helloOf = (
  agentId: string,
  abilities: Abilities,
  held: { inFlight: string[]; spooled: string[] },
): HelloRequest => ({
  protocol: agentProtocolVersion,
  agentId,
  version: agentVersion,
  checkTypes: abilities.checkTypes,
  capabilities: abilities.capabilities,
  capacity: abilities.capacity,
  inFlight: held.inFlight.slice(0, listLimit),
  spooled: held.spooled.slice(0, listLimit),
})

export interface State {
  leases: string[]
  lag: { main: { max: number }; threadsMs: number }
  running: number
  spooled: number
  dropped: number
  unreadable: number
  spoolFailing: boolean
  crashes: Crash[]
}

export const renewalOf = (agentId: string, state: State): RenewRequest => ({
  agentId,
  leases: state.leases.slice(0, listLimit),
  vitals: {
    eventLoopLagMs: Math.max(lagMs(state.lag.main), state.lag.threadsMs),
    residentMb: Math.round(process.memoryUsage.rss() / 1024 / 1024),
    running: state.running,
    spooled: state.spooled,
    dropped: state.dropped,
    unreadable: state.unreadable,
    spoolFailing: state.spoolFailing,
  },
  ...(state.crashes.length > 0 ? { crashes: state.crashes } : {}),
})
