import { oneOf, textLike } from './kinds.ts'
import type { Setting } from './setting.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
/** How much a program logs. */
export type LogLevel = (typeof logLevels)[number]

const group = 'Server and agent'

/** What the server and an agent of its own both read. */
export const sharedSettings = {
  controlName: {
    name: 'VEDETTE_CONTROL_NAME',
    readBy: ['server', 'agent'],
    group,
    ...textLike(/^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i, 'a host name to look up'),
    otherwise: 'none',
    example: 'example.org',
    description:
      'A name that can always be looked up, such as one of your own DNS. When a check\'s look-up fails and this one too, the run counts as "not known", not as failed. The server takes it for its built-in agent.',
  },
  logLevel: {
    name: 'VEDETTE_LOG_LEVEL',
    readBy: ['server', 'agent'],
    group,
    ...oneOf(logLevels),
    default: { server: 'warn', agent: 'info' },
    description: `How much is logged: ${logLevels.map((level) => `\`${level}\``).join(', ')}.`,
  },
} as const satisfies Record<string, Setting>
