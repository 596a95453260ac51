import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { StartRefused } from './start-refused.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Everything the server takes from its environment. Nothing reads the environment later. */
export interface Config {
  host: string
  port: number
  dataDir: string
  /** Where people reach the web app; undefined until the port is known. */
  baseUrl: string | undefined
  databaseUrl: string | undefined
  bootstrap: { accountId?: string; apiKey?: string; email?: string; password?: string }
  masterKey: string | undefined
  /** The key in use until now; read by the re-key command only. */
  oldMasterKey: string | undefined
  egress: 'trusted' | 'public-only'
  trustedProxies: string[]
  smtpUrl: string | undefined
  /** Looked up by the built-in agent when a name cannot be; the trouble is its own when this one fails too. */
  controlName: string | undefined
  logLevel: LogLevel
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type LogLevel = (typeof logLevels)[number]

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Reads the settings. Throws `StartRefused` naming the setting, its value and what was expected. */
export function readConfig(env: Environment): Config {
  const read = settingReader(env)
  return {
    host:
      read('VEDETTE_HOST', 'a host name or address without spaces', (v) => (/^[^\s/]+$/.test(v) ? v : undefined)) ??
      '127.0.0.1',
    port: read('VEDETTE_PORT', 'a port from 0 to 65535 (0 picks a free one)', portOf) ?? 8080,
    dataDir: resolve(read('VEDETTE_DATA_DIR', 'a folder', (v) => v) ?? './data'),
    baseUrl: read('VEDETTE_BASE_URL', 'an http or https URL without path', originOf),
    databaseUrl: read(
      'DATABASE_URL',
      'a postgres:// or postgresql:// URL',
      (v) => urlWith(v, ['postgres:', 'postgresql:']),
      true,
    ),
    bootstrap: readBootstrap(read),
    masterKey: read('VEDETTE_MASTER_KEY', '32 bytes as base64 or 64 hexadecimal digits', (v) => v, true),
    oldMasterKey: read('VEDETTE_OLD_MASTER_KEY', '32 bytes as base64 or 64 hexadecimal digits', (v) => v, true),
    egress:
      read('VEDETTE_EGRESS', 'trusted or public-only', (v) => oneOf(v, ['trusted', 'public-only'] as const)) ??
      'trusted',
    trustedProxies: read('VEDETTE_TRUSTED_PROXIES', 'addresses or CIDR ranges, separated by commas', proxiesOf) ?? [],
    smtpUrl: read('VEDETTE_SMTP_URL', 'an smtp:// or smtps:// URL', (v) => urlWith(v, ['smtp:', 'smtps:']), true),
    controlName: read('VEDETTE_CONTROL_NAME', 'a host name to look up', (v) =>
      /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(v) ? v : undefined,
    ),
    logLevel: read('VEDETTE_LOG_LEVEL', `one of ${logLevels.join(', ')}`, (v) => oneOf(v, logLevels)) ?? 'warn',
  }
}

function readBootstrap(read: SettingReader): Config['bootstrap'] {
  const accountId = read('VEDETTE_BOOTSTRAP_ACCOUNT_ID', 'a UUID', (v) => (uuid.test(v) ? v.toLowerCase() : undefined))
  const apiKey = read(
    'VEDETTE_BOOTSTRAP_API_KEY',
    'at least 20 characters without spaces',
    (v) => (/^\S{20,200}$/.test(v) ? v : undefined),
    true,
  )
  const email = read('VEDETTE_BOOTSTRAP_EMAIL', 'an e-mail address', (v) => (/^\S+@\S+$/.test(v) ? v : undefined))
  const password = read(
    'VEDETTE_BOOTSTRAP_PASSWORD',
    'at least 10 characters',
    (v) => (v.length >= 10 ? v : undefined),
    true,
  )
  if (password !== undefined && email === undefined) {
    throw new StartRefused('VEDETTE_BOOTSTRAP_PASSWORD is set without VEDETTE_BOOTSTRAP_EMAIL; set both or neither.')
  }
  return {
    ...(accountId !== undefined && { accountId }),
    ...(apiKey !== undefined && { apiKey }),
    ...(email !== undefined && { email }),
    ...(password !== undefined && { password }),
  }
}

type SettingReader = <T>(
  name: string,
  expected: string,
  parse: (value: string) => T | undefined,
  secret?: boolean,
) => T | undefined

function settingReader(env: Environment): SettingReader {
  return (name, expected, parse, secret = false) => {
    const value = env[name] ?? (secret ? fromFile(env, name) : undefined)
    if (value === undefined || value === '') return undefined
    const parsed = parse(value)
    if (parsed === undefined)
      throw new StartRefused(`${name} is ${secret ? 'not usable' : `"${value}"`}; expected ${expected}.`)
    return parsed
  }
}

function fromFile(env: Environment, name: string): string | undefined {
  const file = env[`${name}_FILE`]
  if (file === undefined || file === '') return undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new StartRefused(
      `${name}_FILE is "${file}"; expected a readable file (${(error as NodeJS.ErrnoException).code}).`,
    )
  }
}

function portOf(value: string): number | undefined {
  return /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? Number(value) : undefined
}

function originOf(value: string): string | undefined {
  const url = parsedUrl(value)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/') return undefined
  return url.origin
}

const urlWith = (value: string, protocols: string[]): string | undefined =>
  protocols.includes(parsedUrl(value)?.protocol ?? '') ? value : undefined

function parsedUrl(value: string): URL | undefined {
  return URL.canParse(value) ? new URL(value) : undefined
}

const oneOf = <T extends string>(value: string, allowed: readonly T[]): T | undefined =>
  allowed.find((candidate) => candidate === value)

function proxiesOf(value: string): string[] | undefined {
  const parts = value.split(',').map((part) => part.trim())
  return parts.every((part) => /^[0-9a-f.:]+(\/\d{1,3})?$/i.test(part)) ? parts : undefined
}
