import { pino, type Logger } from 'pino'
import type { LogLevel } from '@vedette/wire/configuration'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** One JSON line per event on standard output. */
export const openLog = (level: LogLevel): Logger => pino({ level, base: { component: 'agent' } })
