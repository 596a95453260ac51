import type { Deadline } from '../net/deadline.ts'
import { TargetError } from '../net/target-error.ts'
import { CannotPing, type Answer } from '../net/packets/answer.ts'
import { startProgram, type Command } from '../net/packets/start-program.ts'
import { answersOfPing } from './ping-lines.ts'
import { firstAnswerMs, intervalMs, packetSize, type PingOrder } from './ping-order.ts'

/** Each run has a program of its own, so that only so many run at once. */
const mostAtOnce = 64
/** Kept of the time of an attempt for the program to end and say what it knows, in milliseconds. */
const reserveMs = 1000
const longestOutput = 64 * 1024
const icmpHeader = 8

/** Pings with the program `ping`, one for each run. */
export type PingCommand = (order: PingOrder, deadline: Deadline) => Promise<Answer[]>

/** Makes it. The operating system decides whether the program may open its socket. */
export function pingCommand(command: Command = ['ping'], most = mostAtOnce): PingCommand {
  let free = most
  const waiting = new Set<() => void>()
  const enter = async (deadline: Deadline): Promise<void> => {
    if (free > 0) {
      free -= 1
      return
    }
    let go: (() => void) | undefined
    await deadline.during<void>({
      start(succeed) {
        go = succeed
        waiting.add(succeed)
      },
      stop: () => void (go && waiting.delete(go)),
      timedOut: () => new TargetError('ping', 'ETIMEDOUT', 'too many pings are under way'),
    })
  }
  const leave = () => {
    const [next] = waiting
    if (next === undefined) free += 1
    else {
      waiting.delete(next)
      next()
    }
  }

  return async (order, deadline) => {
    try {
      await enter(deadline)
      try {
        return await runPing(command, order, deadline)
      } finally {
        leave()
      }
    } catch (error) {
      throw error instanceof TargetError ? new CannotPing(error.message) : error
    }
  }
}

const fixedArguments = `-n -i ${intervalMs / 1000} -s ${packetSize - icmpHeader} -W ${firstAnswerMs / 1000}`.split(' ')

const argumentsFor = ({ address, count }: PingOrder): string[] => [...fixedArguments, '-c', String(count), address]

function runPing([name, ...args]: Command, order: PingOrder, deadline: Deadline): Promise<Answer[]> {
  let stop: () => void = () => undefined
  return deadline.during<Answer[]>({
    start(succeed, fail) {
      let output = ''
      let errors = ''
      const program = startProgram([name, ...args, ...argumentsFor(order)], () => {
        clearTimeout(enough)
        const answers = answersOfPing(output, errors, order)
        if (answers === undefined) fail(new CannotPing(program.reason() || `${name} says nothing of packets`))
        else succeed(answers)
      })
      // It sums up what it knows when it is interrupted.
      const enough = setTimeout(() => program.kill('SIGINT'), Math.max(0, deadline.remainingMs() - reserveMs))
      program.stdout.on('data', (text: Buffer) => {
        if (output.length < longestOutput) output += text.toString('latin1')
      })
      program.stderr.on('data', (text: Buffer) => {
        if (errors.length < longestOutput) errors += text.toString('latin1')
      })
      stop = () => {
        clearTimeout(enough)
        program.kill('SIGKILL')
      }
    },
    stop: () => stop(),
    timedOut: () => new TargetError('ping', 'ETIMEDOUT', 'ping did not end in time'),
  })
}
