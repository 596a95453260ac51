import { systemClock } from '@vedette/wire'
import { pino } from 'pino'
import { LocalAgent } from '../dist/local-agent/local-agent.js'

// Acts as the server of an agent, in a process of its own that a test may kill.
const [url = '', spoolDir = ''] = process.argv.slice(2)
const agent = new LocalAgent({
  url,
  spoolDir,
  logLevel: 'info',
  mintKey: () => Promise.resolve('vdl_of_parent'),
  heardAt: () => performance.now(),
  clock: systemClock,
  random: () => 0,
  log: pino(),
})
await agent.start()
process.stdout.write(`agent is ${agent.pid}\n`)
