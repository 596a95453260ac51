import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, until } from './product.ts'

/** An agent started as users start it: a process of its own with a location key. */
export interface SeparateAgent {
  pid: number | undefined
  output(): string
  /** Sends SIGTERM and waits. Returns the exit code. */
  stop(): Promise<number | null>
  /** kill -9 and wait. */
  kill(): Promise<void>
}

export interface AgentOptions {
  url: string
  key: string
  /** Kept over restarts. */
  spoolDir: string
  env?: Record<string, string>
  /** Working directory and program. Default: the agent of this repository. */
  program?: { folder: string; file: string }
}

const ownProgram = { folder: root, file: 'packages/agent/dist/main.js' }

export const newSpoolDir = () => mkdtemp(join(tmpdir(), 'vedette-spool-'))
export const removeSpoolDir = (dir: string) => rm(dir, { recursive: true, force: true })

/** Resolves when the server has answered the agent's hello. */
export async function startAgent(options: AgentOptions): Promise<SeparateAgent> {
  const { url, key, spoolDir, env, program = ownProgram } = options
  const child = spawn(process.execPath, ['--enable-source-maps', program.file], {
    cwd: program.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      VEDETTE_URL: url,
      API_KEY: key,
      VEDETTE_SPOOL_DIR: spoolDir,
      AGENT_HEALTH_PORT: '0',
      ...env,
    },
  })
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (output += text))
  const ended = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit')
      child.kill(signal)
      await exit
    }
    return child.exitCode
  }
  await until('the agent to be welcomed', async () => {
    if (child.exitCode !== null) throw new Error(`The agent ended with ${child.exitCode}:\n${output}`)
    return output.includes('"connected"')
  })
  return {
    pid: child.pid,
    output: () => output,
    stop: () => ended('SIGTERM'),
    kill: async () => void (await ended('SIGKILL')),
  }
}
