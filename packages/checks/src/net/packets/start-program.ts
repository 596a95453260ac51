import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import type { Socket } from 'node:net'
import { CannotPing } from './answer.ts'

/** A program and its arguments. */
export type Command = readonly [program: string, ...args: string[]]

/** Longest text of a program that is kept to say why it ended. */
const reasonLimit = 300

/** Where such programs are besides the folders of PATH, which services often have without those of the administrator. */
const systemFolders = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** A running program. It keeps this process alive no longer than something else does. */
export interface Program {
  child: ChildProcessWithoutNullStreams
  /** Why it ended, in words: from what it wrote as an error, else from its exit code. */
  reason(): string
}

/** Starts a program that sends or captures packets, with nothing of our environment. `onEnd` is called once, also when it cannot be started. */
export function startProgram([name, ...args]: Command, onEnd: (code: number | null) => void): Program {
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
  child.on('error', (error: NodeJS.ErrnoException) =>
    end(null, error.code === 'ENOENT' ? `${name} is not installed` : `${name} cannot be started (${error.code})`),
  )
  child.on('close', (code, signal) => end(code, `${name} ended by itself (${signal ?? `exit code ${code}`})`))
  child.stderr.on('data', (text: Buffer) => {
    if (reason.length < reasonLimit) reason = `${reason}${text.toString()}`.slice(0, reasonLimit)
  })
  // Writing to a program that has ended fails; its end is reported by itself.
  child.stdin.on('error', () => undefined)
  child.unref()
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as unknown as Socket).unref()
  return {
    child,
    reason: () =>
      reason
        .trim()
        .replaceAll(/\s*\n\s*/g, '; ')
        .replace(/[.?!]+$/, ''),
  }
}

/** The end of a program as the reason why it cannot ping. */
export const endOf = (program: Program): CannotPing => new CannotPing(program.reason())
