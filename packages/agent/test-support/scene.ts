import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Job, ResultReport } from '@vedette/wire'
import { pino } from 'pino'
import type { Agent } from '../src/agent.ts'
import type { AgentParts } from '../src/agent-parts.ts'
import type { AgentSettings } from '../src/config.ts'
import { startAgent } from '../src/start-agent.ts'
import { FakeServer } from './fake-server.ts'

const threadEntry = new URL('./scripted-thread.mjs', import.meta.url)

/** A server that a test directs, and agents of it in this process whose runs follow scripts. */
export interface Scene {
  server: FakeServer
  folder: string
  agent(changes?: Partial<AgentSettings>, parts?: Partial<AgentParts>): Promise<Agent>
  resultOf(job: Job): Promise<ResultReport>
  end(): Promise<void>
}

export async function openScene(): Promise<Scene> {
  const server = new FakeServer()
  const folder = mkdtempSync(join(tmpdir(), 'agent-'))
  const agents: Agent[] = []
  await server.start()
  const settings = (): AgentSettings => ({
    url: server.url,
    key: 'vdl_test',
    concurrency: null,
    healthPort: null,
    spoolDir: folder,
    logLevel: 'silent',
    reportCrashes: true,
    drainGraceMs: 10_000,
    controlName: null,
    packetCapture: false,
    sharesServerClock: false,
  })
  return {
    server,
    folder,
    async agent(changes = {}, parts = {}) {
      const log = pino({ level: 'silent' })
      const agent = await startAgent({ ...settings(), ...changes }, { log, threadEntry, random: () => 0, ...parts })
      agents.push(agent)
      return agent
    },
    async resultOf(job) {
      const find = () => server.results.find(({ lease }) => lease === job.lease)
      await server.until(() => find() !== undefined)
      return find() as ResultReport
    },
    async end() {
      await Promise.all(agents.map((agent) => agent.stop(0)))
      await server.stop()
      rmSync(folder, { recursive: true })
    },
  }
}
