import { startAgent } from '../src/agent.ts'
import { readSettings } from '../src/config.ts'
import { openLog } from '../src/log.ts'
import { stopOnSignals } from '../src/stop-on-signals.ts'

// The standalone program, with probe threads that run scripts.
const settings = readSettings(process.env)
const log = openLog(settings.logLevel)
const agent = await startAgent(settings, { log, threadEntry: new URL('./scripted-thread.ts', import.meta.url) })
log.info({ healthPort: agent.healthPort }, 'agent started')
stopOnSignals(agent, log)
