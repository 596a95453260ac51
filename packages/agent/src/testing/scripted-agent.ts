import { startAgent } from '../agent.ts'
import { readSettings } from '../config.ts'
import { openLog } from '../log.ts'
import { stopOnSignals } from '../stop-on-signals.ts'

// The standalone program, with probe threads that run scripts.
const settings = readSettings(process.env)
const log = openLog(settings.logLevel)
const agent = await startAgent(settings, { log, threadEntry: new URL('./scripted-thread.ts', import.meta.url) })
log.info({ healthPort: agent.healthPort }, 'agent started')
stopOnSignals(agent, log)
