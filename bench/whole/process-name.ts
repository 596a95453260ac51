import { basename } from 'node:path'

/** What a process is for, by its command line. */
export function processName(command: string): string {
  if (command.includes('server/dist/main.js')) return 'server'
  if (command.includes('packages/agent/')) return 'agent'
  const [program = '', ...rest] = command.split(' ')
  const script = rest.find((each) => /\.[cm]?[jt]s$/.test(each))
  return basename(script ?? program)
}
