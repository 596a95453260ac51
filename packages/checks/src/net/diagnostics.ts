import type { Traceroute } from '@vedette/wire'
import { startCapture, type PacketCapture } from './capture/capture.ts'
import type { Contact } from './egress/contact.ts'
import { CannotPing } from './packets/answer.ts'
import { PacketProgram } from './packets/packet-program.ts'
import { packetPrograms, type PacketSender } from './packets/packet-programs.ts'
import type { Command } from './packets/start-program.ts'
import { traceroute } from './traceroute/traceroute.ts'

/** Looks into network trouble after a run has failed. */
export interface Diagnostics {
  /** What this machine can do and others may not: `traceroute`, `capture`. */
  readonly capabilities: readonly string[]
  /** The way to the target as it is now. Undefined when this machine cannot tell. */
  traceroute(contact: Contact): Promise<Traceroute | undefined>
  /** The packets of an attempt, a moment after its end. */
  packetsOf: PacketCapture['packetsOf']
  close(): void
}

export interface DiagnosticsOptions {
  /** Whether packets may be captured. */
  capture: boolean
  packets?: Command
  sender?: PacketSender
}

/** How long mtr-packet may take to say what it has received, in milliseconds. */
const patienceMs = 1000

/** Whether this machine can send packets that may pass few routers only, and of which kind. */
async function protocolHere(command: Command): Promise<Traceroute['protocol'] | undefined> {
  const program = new PacketProgram(command, () => undefined)
  try {
    await program.reported()
    return (await program.supports('tcp')) ? 'TCP' : 'ICMP'
  } catch (error) {
    if (!(error instanceof CannotPing)) throw error
    return undefined
  } finally {
    program.close()
  }
}

/** Finds out what this machine can do, and begins to capture if it may. */
export async function openDiagnostics(options: DiagnosticsOptions): Promise<Diagnostics> {
  const { packets = ['mtr-packet'], sender = packetPrograms({ command: packets, patienceMs }) } = options
  const [protocol, capture] = await Promise.all([
    protocolHere(packets),
    options.capture ? startCapture() : Promise.resolve(undefined),
  ])
  return {
    capabilities: [...(protocol ? ['traceroute'] : []), ...(capture ? ['capture'] : [])],
    async traceroute({ host, address, port }) {
      if (protocol === undefined) return undefined
      try {
        return await traceroute(sender, { host, address, port, protocol })
      } catch (error) {
        if (!(error instanceof CannotPing)) throw error
        return undefined
      }
    },
    packetsOf: (contacts, endedAt) => capture?.packetsOf(contacts, endedAt),
    close: () => capture?.close(),
  }
}
