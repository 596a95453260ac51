import { onStopSignals } from '@vedette/checks/process'
import type { Agent } from './agent.ts'
import type { Log } from './log.ts'

/** The first SIGTERM or SIGINT drains, the second ends the process at once. */
export function stopOnSignals(agent: Agent, log: Log): void {
  onStopSignals({
    first: () => void stopAndExit(agent, log),
    again(signal) {
      log.warn({ signal }, 'told to stop again: leaving at once')
      process.exit(1)
    },
  })
}

export async function stopAndExit(agent: Agent, log: Log, graceMs?: number): Promise<void> {
  try {
    await agent.stop(graceMs)
    process.exit(0)
  } catch (error) {
    log.error({ error }, 'the agent did not stop as it should')
    process.exit(1)
  }
}
