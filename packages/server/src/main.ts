import { onStopSignals } from '@vedette/checks/process'
import { pino } from 'pino'
import { readConfig, type Config } from './config.ts'
import { StartRefused } from './start-refused.ts'
import { startServer, type RunningServer } from './server.ts'
import { tellReady } from './startup-notice.ts'

await main().catch(refuse)

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = logOf(config)
  say('Starting Vedette…')
  const server = await startServer(config, log)
  stopOnSignals(server)
  server.failed.then(
    (error) => refuse(new StartRefused(`The embedded database stopped: ${error.message}. Start Vedette again.`)),
    refuse,
  )
  const { url, signInLink, account } = server
  await tellReady(
    { url, signInLink, accountId: account.accountId, apiKey: account.apiKey, dataDir: config.dataDir },
    process.stdout,
  )
}

function logOf({ logLevel }: Config) {
  const redact = { paths: ['req.headers.authorization', 'req.headers.cookie', '*.password', '*.rawKey'], censor: '***' }
  if (!process.stderr.isTTY) return pino({ level: logLevel, redact }, pino.destination(2))
  return pino({ level: logLevel, redact, transport: { target: 'pino-pretty', options: { destination: 2 } } })
}

/** The first signal drains and stops everything, the second one ends the process at once. */
function stopOnSignals(server: RunningServer): void {
  const stop = () => {
    say('Stopping: letting running checks finish (press Ctrl-C again to stop at once)…')
    server.stop().then(() => {
      say('Stopped.')
      process.exit(0)
    }, refuse)
  }
  onStopSignals({ first: stop, again: () => process.exit(130) })
}

/** Logs one sentence for errors that the operator can fix, and all details for others. */
function refuse(error: unknown): void {
  const text = error instanceof StartRefused ? error.message : error instanceof Error ? error.stack : String(error)
  process.stderr.write(`Vedette cannot run: ${text}\n`)
  process.exit(1)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
