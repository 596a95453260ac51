import { fileURLToPath } from 'node:url'
import { startable } from '@vedette/checks/runnable'
import type { AgentSettings } from './config.ts'

/** First message from the server to its built-in agent. */
export interface BuiltInStart {
  kind: 'start'
  settings: AgentSettings
}

/** Program of the built-in agent. */
export const builtInProgram = fileURLToPath(startable(new URL('./built-in.ts', import.meta.url)))
