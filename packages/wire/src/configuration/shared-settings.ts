import { nameOrNone, onOrOff, oneOf } from './kinds.ts'
import type { Kind, Setting } from './setting.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
/** How much a program logs. */
export type LogLevel = (typeof logLevels)[number]

const words = oneOf(logLevels)

/** `log` is what other agents call `info`. */
const logLevel: Kind<LogLevel> = {
  ...words,
  parse: (text) => words.parse(/^log$/i.test(text) ? 'info' : text),
}

const group = 'Server and agent'

/** What the server and an agent of its own both read. */
export const sharedSettings = {
  controlName: {
    name: 'VEDETTE_CONTROL_NAME',
    readBy: ['server', 'agent'],
    group,
    ...nameOrNone,
    otherwise: "none for the built-in agent, the host name of the server's address for others",
    example: 'example.org',
    description:
      'A name that can always be looked up, such as one of your own DNS; `none` or `off` asks for none. When a check\'s look-up fails or no route leads to its target, and this name cannot be looked up either, the run counts as "not known", not as failed. The server takes it for its built-in agent.',
  },
  packetCapture: {
    name: 'VEDETTE_PACKET_CAPTURE',
    readBy: ['server', 'agent'],
    group,
    ...onOrOff,
    default: 'on',
    description:
      '`off` keeps the agent from capturing packets. Else, where it may, it keeps those of the last minute in memory, and uploads the ones of a run that failed with network trouble: over plain HTTP they hold what was sent, credentials included. The server takes it for its built-in agent.',
  },
  logLevel: {
    name: 'VEDETTE_LOG_LEVEL',
    readBy: ['server', 'agent'],
    group,
    otherName: { agent: 'LOG_LEVEL' },
    ...logLevel,
    default: { server: 'warn', agent: 'info' },
    description: `How much is logged: ${logLevels.map((level) => `\`${level}\``).join(', ')}. An agent of its own also reads \`LOG_LEVEL\`.`,
  },
} as const satisfies Record<string, Setting>
