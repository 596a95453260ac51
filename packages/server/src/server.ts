import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { systemClock } from '@vedette/wire'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { inDataDir, makeDataDir } from './data-dir.ts'
import type { Database } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { databaseSource, openDatabase } from './db/open-database.ts'
import { StartRefused } from './start-refused.ts'
import type { App } from './http/build-http.ts'
import { serverId } from './installation/server-id.ts'
import { ensureFirstAccount, type FirstAccount } from './installation/store.ts'
import { LocalAgent } from './local-agent/local-agent.ts'
import { ownTargets } from './own-targets.ts'
import { connectParts, type Foundation, type Parts } from './parts.ts'
import { verifyMasterKey } from './secrets/check-master-key.ts'
import { loadMasterKey } from './secrets/master-key.ts'
import { openVault } from './secrets/vault.ts'
import { signInStore } from './sign-in/store.ts'

export interface RunningServer {
  url: string
  account: FirstAccount
  signInLink: string
  /** Settles after an error that only a restart can fix. */
  failed: Promise<Error>
  /** Drains the agent, finishes requests, stores results in progress, closes the database. */
  stop(): Promise<void>
}

/** Opens, migrates and starts everything. Throws `StartRefused` with one sentence when it cannot start. */
export async function startServer(config: Config, log: Logger): Promise<RunningServer> {
  await makeDataDir(config.dataDir)
  const db = await openDatabase(databaseSource(config), log)
  return inDataDir(config.dataDir, () => startOn(db, config, log))
}

async function startOn(db: Database, config: Config, log: Logger): Promise<RunningServer> {
  const clock = systemClock
  try {
    await migrate(db)
    const vault = openVault({ current: await loadMasterKey({ env: config.masterKey, dataDir: config.dataDir }) })
    await verifyMasterKey(db, vault)
    const account = await ensureFirstAccount(db, config.bootstrap, new Date(clock.now()))
    return await startParts({ config, log, clock, db, vault, account })
  } catch (error) {
    await db.close()
    throw error
  }
}

/** Settings of the server that are those of its built-in agent. */
const passedToAgent = ({ controlName, packetCapture, concurrency, healthPort, healthHost }: Config) => ({
  controlName,
  packetCapture,
  concurrency,
  healthPort,
  healthHost,
})

async function startParts(foundation: Foundation): Promise<RunningServer> {
  const { config, log, clock, db, account } = foundation
  const parts = await connectParts(foundation)
  const { app, housekeeping, dispatch, sender } = parts
  await housekeeping.start()
  await listen(app, config).catch(async (error: unknown) => {
    await housekeeping.stop()
    throw error
  })
  const listening = app.server.address() as AddressInfo
  const localUrl = `http://${hostOf(listening)}:${listening.port}`
  parts.state.baseUrl = config.baseUrl ?? localUrl
  parts.state.denied = await ownTargets({ address: listening.address, port: listening.port }, config.databaseUrl)
  sender.start()
  parts.reminders.start()
  parts.certificates.start()
  await parts.feed.start()
  await parts.refreshChecks()
  await dispatch.start()
  parts.turns.start()
  const { keys } = parts.agents
  const id = await serverId(config.dataDir, () => keys.adoptBuiltin(config.dataDir))
  const agent = new LocalAgent({
    url: localUrl,
    spoolDir: join(config.dataDir, 'spool'),
    logLevel: agentLogLevel(config.logLevel),
    ...passedToAgent(config),
    mintKey: async () => {
      const key = await keys.mintBuiltin(id)
      parts.agents.ownAgent.expect(key)
      return key
    },
    heardAt: () => parts.agents.ownAgent.heardAt(),
    clock,
    random: Math.random,
    log,
  })
  await agent.start()
  await parts.canary
    .start()
    .catch((error: unknown) =>
      log.error({ err: error }, 'The canary could not be made; there is none until the next start.'),
    )
  await parts.health.start()
  await parts.signal.start()
  parts.deadman?.start()
  parts.sampler.start()
  parts.state.ready = true
  const link = await signInStore(db).mintLink(account, clock.now())
  return {
    url: parts.state.baseUrl,
    account,
    signInLink: `${parts.state.baseUrl}/sign-in?token=${link}`,
    failed: db.failed,
    stop: () => stopParts(parts, agent, db),
  }
}

async function listen(app: App, config: Config): Promise<void> {
  try {
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new StartRefused(
        `Port ${config.port} on ${config.host} is taken; stop what listens there or set VEDETTE_PORT to another port.`,
      )
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new StartRefused(
        `Vedette cannot listen on ${config.host}:${config.port} (${code}); set VEDETTE_HOST and VEDETTE_PORT to an address of this machine.`,
      )
    }
    throw error
  }
}

/** The agent stops first, while the server still accepts its last results. */
async function stopParts(parts: Parts, agent: LocalAgent, db: Database): Promise<void> {
  parts.state.ready = false
  await parts.deadman?.stop()
  await parts.sampler.stop()
  await parts.signal.stop()
  await parts.health.stop()
  await agent.stop()
  await parts.feed.stop()
  await parts.turns.stop()
  await parts.dispatch.stop()
  await parts.app.close()
  await parts.ingest.stop()
  await parts.reminders.stop()
  await parts.certificates.stop()
  await parts.sender.stop()
  await parts.housekeeping.stop()
  await db.close()
}

function hostOf({ address, family }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return '127.0.0.1'
  return family === 'IPv6' ? `[${address}]` : address
}

const agentLogLevel = (level: Config['logLevel']) =>
  level === 'trace' ? 'debug' : level === 'fatal' || level === 'silent' ? 'error' : level
