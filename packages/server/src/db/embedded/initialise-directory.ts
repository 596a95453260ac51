import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { processOptions, startable } from '@vedette/checks/runnable'

/**
 * Initialises a cluster in a separate process: all its memory is free when it ends. That of a thread would stay with this
 * process for as long as it runs, some 80 MB.
 */
export async function initialiseDirectory(directory: string): Promise<void> {
  const program = startable(new URL('./initialise-program.ts', import.meta.url))
  const child = spawn(process.execPath, [...processOptions(program), fileURLToPath(program), directory], {
    env: {},
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [[code, signal], said] = await Promise.all([
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
    text(child.stderr),
  ])
  if (code !== 0) throw new Error(said.trim() || `initialising it ended with ${signal ?? `code ${code}`}`)
}
