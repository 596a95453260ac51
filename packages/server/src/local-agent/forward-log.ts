import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Logger } from 'pino'

const levels: Record<number, 'debug' | 'info' | 'warn' | 'error'> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error' }

/** Writes the agent's log lines to the server's log under `component: agent`. */
export function forwardLog(child: ChildProcess, serverLog: Logger): void {
  const log = serverLog.child({ component: 'agent' })
  if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', (line) => tell(log, line))
  // Messages of Node itself when a process breaks.
  if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', (line) => log.error(line))
}

function tell(log: Logger, line: string): void {
  const entry = readEntry(line)
  if (entry === undefined) {
    log.info(line)
    return
  }
  const { level, msg, time: _time, component: _component, ...fields } = entry
  log[levels[Number(level)] ?? 'error'](fields, String(msg))
}

function readEntry(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return undefined
  }
}
