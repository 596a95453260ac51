import type { Agent } from './agent.ts'
import { startAgent } from './start-agent.ts'
import type { BuiltInStart } from './built-in-start.ts'
import { openLog } from './log.ts'
import { stopAndExit } from './stop-on-signals.ts'

// Started by the server as its child. Settings and key arrive over the channel, where no process list shows them.
// Ctrl-C reaches the whole process group: only the server decides when its agent stops, so SIGINT is left to it.
process.on('SIGINT', () => undefined)

let starting: Promise<Agent | undefined> | undefined
process.once('message', (message: BuiltInStart) => {
  starting = start(message)
})
process.on('SIGTERM', () => void leave(undefined))
process.on('disconnect', () => void leave(orphanGraceMs))

/** Without its server a run cannot be reported. A run that ends within this time is spooled. */
const orphanGraceMs = 1000

async function start({ settings }: BuiltInStart): Promise<Agent | undefined> {
  const log = openLog(settings.logLevel)
  try {
    const agent = await startAgent(settings, { log, isBuiltIn: true })
    if (agent.healthPort !== undefined) log.info({ healthPort: agent.healthPort }, 'health endpoints are served')
    process.send?.({ kind: 'started', agentId: agent.id })
    return agent
  } catch (error) {
    log.error(`the built-in agent cannot start: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  }
}

async function leave(graceMs: number | undefined): Promise<void> {
  const agent = await starting
  if (agent === undefined) process.exit(0)
  await stopAndExit(agent, openLog('info'), graceMs)
}
