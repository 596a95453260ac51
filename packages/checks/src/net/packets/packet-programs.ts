import type { Answer, CannotPing } from './answer.ts'
import { PacketProgram, type Packet } from './packet-program.ts'
import type { Command } from './start-program.ts'

/** A mass outage has many packets that wait for nothing; each program takes 900 of them. */
const mostPrograms = 8
/** A program that ends without having answered is not started again for this long, in milliseconds. */
const pauseMs = 10_000
/** So often one that worked may end within that time before the same follows. */
const mostEnds = 5

/** A packet on its way. `sentAt` is undefined while there is no room for it. */
export interface SentPacket {
  readonly sentAt: number | undefined
  /** Nobody waits for its answer any more. */
  forget(): void
}

/** Sends single packets. */
export interface PacketSender {
  /** `settle` is called once, unless the packet is forgotten. */
  send(packet: Packet, settle: (answer: Answer | CannotPing) => void): SentPacket
  /** Resolves when all answers that came until now are reported. */
  reported(): Promise<void>
}

interface Waiting extends SentPacket {
  sentAt: number | undefined
  go(program: PacketProgram): void
  lose(why: CannotPing): void
}

export interface PacketProgramsOptions {
  command?: Command
  most?: number
  patienceMs?: number
  /** Starts that failed are not repeated so soon, in milliseconds. */
  pauseMs?: number
}

/** The mtr-packet programs of this thread: started when they are needed, shared by all runs, started again when one ends. */
export function packetPrograms(options: PacketProgramsOptions = {}): PacketSender {
  const { command = ['mtr-packet'], most = mostPrograms, patienceMs, pauseMs: pause = pauseMs } = options
  let programs: PacketProgram[] = []
  let waiting: Waiting[] = []
  let ends: number[] = []
  let broken: { why: CannotPing; until: number } | undefined

  const noteEnd = (program: PacketProgram, why: CannotPing) => {
    const now = performance.now()
    programs = programs.filter((other) => other !== program)
    ends = [...ends.filter((at) => now - at < pause), now]
    if (!program.hasAnswered || ends.length > mostEnds) broken = { why, until: now + pause }
    sendWaiting()
  }
  const start = (): PacketProgram => {
    const program: PacketProgram = new PacketProgram(command, (why) => noteEnd(program, why), patienceMs)
    programs.push(program)
    return program
  }
  const brokenNow = () => (broken !== undefined && performance.now() < broken.until ? broken.why : undefined)
  const programWithRoom = () =>
    programs.find(({ hasRoom }) => hasRoom) ??
    (programs.length < most && brokenNow() === undefined ? start() : undefined)

  function sendWaiting(): void {
    while (waiting.length > 0) {
      const program = programWithRoom()
      if (program === undefined) break
      waiting.shift()?.go(program)
    }
    const why = brokenNow()
    if (why !== undefined && programs.length === 0) for (const packet of waiting.splice(0)) packet.lose(why)
  }

  return {
    send(order, settle) {
      let forget = () => {
        waiting = waiting.filter((other) => other !== packet)
      }
      const packet: Waiting = {
        sentAt: undefined,
        forget: () => forget(),
        go(program) {
          packet.sentAt = performance.now()
          forget = program.send(order, (answer) => {
            settle(answer)
            sendWaiting()
          })
        },
        lose: settle,
      }
      waiting.push(packet)
      sendWaiting()
      return packet
    },
    async reported() {
      await Promise.all(programs.map((program) => program.reported()))
    },
  }
}
