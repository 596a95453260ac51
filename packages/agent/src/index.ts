export { builtInProgram, type BuiltInStart } from './built-in-start.ts'
export type { AgentSettings } from './config.ts'
