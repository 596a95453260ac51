import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { CannotPing } from './answer.ts'

/** A program and its arguments. */
export type Command = readonly [program: string, ...args: string[]]

/** Longest text of a program that is kept to say why it ended. */
const reasonLimit = 300

/** Where such programs are besides the folders of PATH, which services often have without those of the administrator. */
const systemFolders = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** A running program. It keeps this process alive no longer than something else does. */
export interface Program {
  stdin: Writable
  stdout: Readable
  stderr: Readable
  kill(signal: 'SIGINT' | 'SIGKILL'): void
  /** Why it ended, in words: from what it wrote as an error, else from its exit code. */
  reason(): string
}

/** Starts a program that sends or captures packets, with nothing of our environment. `onEnd` is called once, also when it cannot be started. */
export function startProgram(command: Command, onEnd: (code: number | null) => void): Program {
  try {
    return started(command, onEnd)
  } catch (error) {
    // Of some errors Node tells at once and not by an event, such as EPERM where the program may not have its capabilities.
    return notStarted(reasonNotTo(command, error as NodeJS.ErrnoException), onEnd)
  }
}

const reasonNotTo = ([name]: Command, { code, message }: NodeJS.ErrnoException): string =>
  code === 'ENOENT' ? `${name} is not installed` : `${name} cannot be started (${code ?? message})`

function started(command: Command, onEnd: (code: number | null) => void): Program {
  const [name, ...args] = command
  const path = `${process.env.PATH ?? ''}:${systemFolders}`
  const child = spawn(name, args, { stdio: 'pipe', cwd: '/', env: { PATH: path, LC_ALL: 'C' } })
  let reason = ''
  let hasEnded = false
  const end = (code: number | null, text: string) => {
    if (hasEnded) return
    hasEnded = true
    if (reason === '') reason = text
    onEnd(code)
  }
  child.on('error', (error: NodeJS.ErrnoException) => end(null, reasonNotTo(command, error)))
  child.on('close', (code, signal) => end(code, `${name} ended by itself (${signal ?? `exit code ${code}`})`))
  child.stderr.on('data', (text: Buffer) => {
    if (reason.length < reasonLimit) reason = `${reason}${text.toString()}`.slice(0, reasonLimit)
  })
  // Writing to a program that has ended fails; its end is reported by itself.
  child.stdin.on('error', () => undefined)
  child.unref()
  const { stdin, stdout, stderr } = child
  for (const stream of [stdin, stdout, stderr]) (stream as unknown as Socket).unref()
  return {
    stdin,
    stdout,
    stderr,
    kill: (signal) => void child.kill(signal),
    reason: () =>
      reason
        .trim()
        .replaceAll(/\s*\n\s*/g, '; ')
        .replace(/[.?!]+$/, ''),
  }
}

/** Its end comes later, as that of a program that was started. */
function notStarted(reason: string, onEnd: (code: null) => void): Program {
  process.nextTick(() => onEnd(null))
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  return { stdin: stdin.resume(), stdout, stderr, kill: () => undefined, reason: () => reason }
}

/** The end of a program as the reason why it cannot ping. */
export const endOf = (program: Program): CannotPing => new CannotPing(program.reason())
