import { DirectoryInUse } from '@vedette/checks/process'
import { startAgent } from './start-agent.ts'
import { isThisMachine } from './protocol/proxy-for.ts'
import { readSettings, SettingProblem, type AgentSettings } from './config.ts'
import { openLog } from './log.ts'
import { stopOnSignals } from './stop-on-signals.ts'

await main()

async function main(): Promise<void> {
  const settings = settingsOrExit()
  if (settings === undefined) return
  const log = openLog(settings.logLevel)
  const url = new URL(settings.url)
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) {
    log.warn(
      { url: settings.url },
      'VEDETTE_URL is not https: the location key and secrets of checks travel in the clear',
    )
  }
  try {
    const agent = await startAgent(settings, { log })
    log.info({ url: settings.url, agentId: agent.id, healthPort: agent.healthPort }, 'agent started')
    stopOnSignals(agent, log)
  } catch (error) {
    refuse(startProblem(error, settings))
  }
}

function settingsOrExit(): AgentSettings | undefined {
  try {
    return readSettings(process.env)
  } catch (error) {
    if (!(error instanceof SettingProblem)) throw error
    refuse(error.message)
    return undefined
  }
}

function startProblem(error: unknown, { healthPort, spoolDir }: AgentSettings): string {
  if (error instanceof DirectoryInUse) return `VEDETTE_SPOOL_DIR: ${error.message}: give every agent its own folder`
  if (!(error instanceof Error)) return String(error)
  if ('syscall' in error && error.syscall === 'listen') {
    return `AGENT_HEALTH_PORT ${healthPort} cannot be used (${error.message}): choose a free port`
  }
  if ('path' in error && 'code' in error) {
    return `VEDETTE_SPOOL_DIR "${spoolDir}" cannot be used (${error.message}): expected a folder this user may write to`
  }
  return error.stack ?? error.message
}

function refuse(reason: string): void {
  process.stderr.write(`The agent cannot start. ${reason}\n`)
  process.exitCode = 1
}
