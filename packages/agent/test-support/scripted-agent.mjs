import { startAgent } from '../dist/start-agent.js'
import { readSettings } from '../dist/config.js'
import { openLog } from '../dist/log.js'
import { stopOnSignals } from '../dist/stop-on-signals.js'

// The standalone program, with probe threads that run scripts.
const settings = readSettings(process.env)
const log = openLog(settings.logLevel)
const agent = await startAgent(settings, { log, threadEntry: new URL('./scripted-thread.mjs', import.meta.url) })
log.info({ healthPort: agent.healthPort }, 'agent started')
stopOnSignals(agent, log)
