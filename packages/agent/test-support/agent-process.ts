import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { processOptions, startable } from '@vedette/checks/runnable'

export interface AgentProcess {
  pid: number
  /** Log lines and other output so far. */
  output: string[]
  /** Resolves with the first output line that holds the text. */
  says(text: string): Promise<string>
  signal(signal: NodeJS.Signals): void
  exit: Promise<{ code: number | null; signal: string | null }>
}

/**
 * Starts a program of this package as a process of its own, with nothing but these settings. With a limit no file that
 * it writes grows beyond so many KiB.
 */
export function startProcess(program: string, env: Record<string, string>, fileLimitKb?: number): AgentProcess {
  const file = startable(new URL(program, import.meta.url))
  const command = [process.execPath, ...processOptions(file), fileURLToPath(file)]
  const limited = `ulimit -f ${fileLimitKb} && exec "$@"`
  const [started = '', ...given] =
    fileLimitKb === undefined ? command : ['/bin/bash', '-c', limited, 'bash', ...command]
  const child = spawn(started, given, {
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  const lines = [child.stdout, child.stderr].map((input) => createInterface({ input }))
  let watchers: (() => void)[] = []
  const heard = () => {
    for (const resume of watchers.splice(0)) resume()
  }
  for (const line of lines) {
    line.on('line', (text) => {
      output.push(text)
      heard()
    })
  }
  const exit = once(child, 'close').then(([code, signal]) => {
    heard()
    return { code: code as number | null, signal: signal as string | null }
  })
  return {
    pid: child.pid ?? 0,
    output,
    async says(text) {
      for (;;) {
        const found = output.find((line) => line.includes(text))
        if (found !== undefined) return found
        if (child.exitCode !== null) throw new Error(`ended without saying "${text}": ${output.join('\n')}`)
        await new Promise<void>((resolve) => {
          watchers = [...watchers, resolve]
        })
      }
    },
    signal: (signal) => void child.kill(signal),
    exit,
  }
}
