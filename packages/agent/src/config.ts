import { readFileSync } from 'node:fs'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** What an agent needs to know, whether it stands alone or is started by the server. */
export interface AgentSettings {
  /** Address of the server. */
  url: string
  /** Location key. */
  key: string
  /** Runs at once, in every worker class; null leaves each worker class its own default. */
  concurrency: number | null
  /** Port of the health endpoints; null serves none. */
  healthPort: number | null
  /** Folder for results that could not be delivered yet. */
  spoolDir: string
  logLevel: LogLevel
  /** Whether the agent may tell its server about its own crashes. */
  reportCrashes: boolean
  /** How long running checks may take to finish after the agent was told to stop. */
  drainGraceMs: number
  /** A name that can always be looked up, to know when it is our DNS that fails; null for none. */
  controlName: string | null
}

/** A setting nobody can start with. The message is for the person who set it. */
export class SettingProblem extends Error {}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the settings of an agent that stands alone. Nothing else reads the environment. */
export function readSettings(env: Environment): AgentSettings {
  return {
    url: serverUrl(env),
    key: locationKey(env),
    concurrency: wholeNumber(env, 'JOB_CONCURRENCY', { min: 1, max: 1000 }) ?? null,
    healthPort: wholeNumber(env, 'AGENT_HEALTH_PORT', { min: 0, max: 65_535 }) ?? 8081,
    spoolDir: filled(env, 'VEDETTE_SPOOL_DIR') ?? './spool',
    logLevel: oneOf(env, 'VEDETTE_LOG_LEVEL', logLevels) ?? 'info',
    reportCrashes: oneOf(env, 'EXTERNAL_OBSERVABILITY', ['on', 'off']) !== 'off',
    drainGraceMs: (wholeNumber(env, 'VEDETTE_DRAIN_SECONDS', { min: 0, max: 3600 }) ?? 60) * 1000,
    controlName: controlName(env),
  }
}

// An empty variable is what compose files and charts write for "not set".
const filled = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined

function serverUrl(env: Environment): string {
  const value = filled(env, 'VEDETTE_URL')
  if (value === undefined) {
    throw new SettingProblem(
      'VEDETTE_URL is not set: expected the address of the Vedette server, such as https://vedette.example.com',
    )
  }
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw new SettingProblem(
      `VEDETTE_URL is "${value.slice(0, 100)}": expected an http or https address without user name or password`,
    )
  }
  return url.href
}

function locationKey(env: Environment): string {
  const key = secret(env, 'API_KEY')
  if (key === undefined) {
    throw new SettingProblem('API_KEY is not set: expected the key of a location, or its file in API_KEY_FILE')
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new SettingProblem('API_KEY has spaces or characters outside ASCII: expected one location key')
  }
  return key
}

function secret(env: Environment, name: string): string | undefined {
  const file = filled(env, `${name}_FILE`)
  if (file === undefined) return filled(env, name)
  if (filled(env, name) !== undefined) {
    throw new SettingProblem(`${name} and ${name}_FILE are both set: expected one of them`)
  }
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch (error) {
    throw new SettingProblem(`${name}_FILE is "${file}": it cannot be read (${String(error)})`)
  }
}

function controlName(env: Environment): string | null {
  const name = filled(env, 'VEDETTE_CONTROL_NAME')
  if (name !== undefined && !/^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(name)) {
    throw new SettingProblem(`VEDETTE_CONTROL_NAME is "${name.slice(0, 100)}": expected a host name to look up`)
  }
  return name ?? null
}

function wholeNumber(env: Environment, name: string, bounds: { min: number; max: number }): number | undefined {
  const text = filled(env, name)
  if (text === undefined) return undefined
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= bounds.min && value <= bounds.max)) {
    throw new SettingProblem(
      `${name} is "${text.slice(0, 100)}": expected a whole number from ${bounds.min} to ${bounds.max}`,
    )
  }
  return value
}

function oneOf<T extends string>(env: Environment, name: string, allowed: readonly T[]): T | undefined {
  const text = filled(env, name)
  if (text === undefined) return undefined
  const value = allowed.find((candidate) => candidate === text.toLowerCase())
  if (value === undefined) {
    throw new SettingProblem(`${name} is "${text.slice(0, 100)}": expected one of ${allowed.join(', ')}`)
  }
  return value
}
