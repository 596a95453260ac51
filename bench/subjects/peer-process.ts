import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { pause } from '../readings/statistics.ts'

export interface PeerProcess {
  pid: number
  lastOutput: () => string
  stop: () => Promise<void>
}

const startWithinMs = 60_000
const stopWithinMs = 10_000
const outputKept = 2000

/** Starts a program of somebody else and waits until it answers at `url`. */
export async function startPeer(
  program: string,
  args: readonly string[],
  { cwd, env, url }: { cwd: string; env: Record<string, string>; url: string },
): Promise<PeerProcess> {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const keep = (text: Buffer) => (output = (output + text.toString()).slice(-outputKept))
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  let error: Error | undefined
  child.on('error', (reason) => (error = reason))
  const until = Date.now() + startWithinMs
  while (!(await answers(url))) {
    if (error !== undefined || child.exitCode !== null || Date.now() > until) {
      await stopChild(child)
      throw new Error(`${program} ${args.join(' ')} did not start: ${error?.message ?? `it printed last:\n${output}`}`)
    }
    await pause(200)
  }
  return { pid: child.pid ?? 0, lastOutput: () => output, stop: () => stopChild(child) }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).status < 500
  } catch (error) {
    // Nobody listens yet: fetch reports it as a TypeError.
    if (error instanceof TypeError) return false
    throw error
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const overdue = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
  await exit
  clearTimeout(overdue)
}
