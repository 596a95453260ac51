import { startDeadline, type Deadline } from '../net/deadline.ts'
import { HostTrouble } from '../net/target-error.ts'
import { CannotPing, type Answer } from '../net/packets/answer.ts'
import { PacketProgram } from '../net/packets/packet-program.ts'
import { packetPrograms } from '../net/packets/packet-programs.ts'
import type { Command } from '../net/packets/start-program.ts'
import type { PingOrder } from './ping-order.ts'
import { pingCommand } from './ping-with-command.ts'
import { pingWithPackets } from './ping-with-packets.ts'

/**
 * Sends echo requests to an address that was judged before. Rejects with `HostTrouble` when this machine cannot, and with
 * what the deadline says of a run that is cancelled.
 */
export type Ping = (order: PingOrder, deadline: Deadline) => Promise<Answer[]>

const remedy =
  'Install mtr-packet (Debian package mtr-tiny) on the machine of the agent; in a container allow it the capability NET_RAW and do not set no-new-privileges'

/** Tries one way after the other. */
export const firstWayOf =
  (ways: readonly Ping[]): Ping =>
  async (order, deadline) => {
    const reasons: string[] = []
    for (const way of ways) {
      try {
        return await way(order, deadline)
      } catch (error) {
        if (!(error instanceof CannotPing)) throw error
        reasons.push(error.message)
      }
    }
    throw new HostTrouble('CANNOT_PING', `This agent cannot ping: ${reasons.join('; ')}. ${remedy}.`)
  }

/** With the programs of this machine: mtr-packet, else `ping`. Neither needs to be started by root. */
export function systemPing(): Ping {
  const programs = packetPrograms()
  return firstWayOf([(order, deadline) => pingWithPackets(programs, order, deadline), pingCommand()])
}

/** How long it may take to find out whether this machine can ping, in milliseconds. */
const findOutMs = 5000

/** Whether this machine can ping. At most it pings itself. */
export async function canPing(packets: Command = ['mtr-packet'], single: Command = ['ping']): Promise<boolean> {
  // An agent asks before anything else keeps it alive, and the programs do not.
  const alive = setInterval(() => undefined, findOutMs)
  try {
    return (await answers(packets)) || (await pingsItself(single))
  } finally {
    clearInterval(alive)
  }
}

async function answers(packets: Command): Promise<boolean> {
  const program = new PacketProgram(packets, () => undefined)
  try {
    await program.reported()
    return true
  } catch (error) {
    if (!(error instanceof CannotPing)) throw error
    return false
  } finally {
    program.close()
  }
}

async function pingsItself(single: Command): Promise<boolean> {
  const deadline = startDeadline(findOutMs)
  try {
    await pingCommand(single)({ address: '127.0.0.1', count: 1 }, deadline)
    return true
  } catch (error) {
    if (!(error instanceof CannotPing)) throw error
    return false
  } finally {
    deadline.close()
  }
}
