import { openDiagnostics } from '@vedette/checks/net'
import { capabilitiesHere } from '@vedette/checks/run'
import { systemClock } from '@vedette/wire'
import type { AgentParts } from './agent-parts.ts'
import { Agent } from './agent.ts'
import type { AgentSettings } from './config.ts'
import { openSpool } from './delivery/open-spool.ts'

/** Starts an agent. Throws when it cannot start, because a folder is in use or a port is taken. */
export async function startAgent(settings: AgentSettings, parts: AgentParts): Promise<Agent> {
  const { log, clock = systemClock, isBuiltIn } = parts
  const spool = await openSpool({ folder: settings.spoolDir, log, isOptional: isBuiltIn }, clock)
  const diagnostics = parts.diagnostics ?? (await openDiagnostics({ capture: settings.packetCapture }))
  const capabilities = [...(await capabilitiesHere()), ...diagnostics.capabilities]
  const agent = new Agent(settings, { capabilities, ...parts, diagnostics }, spool)
  try {
    await agent.start()
  } catch (error) {
    await agent.stop()
    throw error
  }
  return agent
}
