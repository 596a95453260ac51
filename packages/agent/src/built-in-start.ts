import { fileURLToPath } from 'node:url'
import { runnable } from '@vedette/checks/runnable'
import type { AgentSettings } from './config.ts'

/** First message from the server to its built-in agent. */
export interface BuiltInStart {
  kind: 'start'
  settings: AgentSettings
}

/** Program of the built-in agent. */
export const builtInProgram = fileURLToPath(runnable(new URL('./built-in.ts', import.meta.url)))
