import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { readConfiguration, type LogLevel } from '@vedette/wire/configuration'
import { isThisMachine, proxyFor } from './protocol/proxy-for.ts'

/** Settings of an agent, whether it stands alone or is started by the server. */
export interface AgentSettings {
  /** Address of the server. */
  url: string
  /** Location key. */
  key: string
  /** Proxy through which the server is reached; it may hold user and password. Absent: none. */
  proxy?: string | undefined
  /** Runs at once, in every worker class; null leaves each worker class its own default. */
  concurrency: number | null
  /** Port of the health endpoints; null serves none. */
  healthPort: number | null
  /** Where it is open; undefined: on every address. */
  healthHost?: string | undefined
  /** Folder for results that could not be delivered yet. */
  spoolDir: string
  logLevel: LogLevel
  /** Whether the agent reports its own crashes to its server. */
  reportCrashes: boolean
  /** How long running checks may take to finish after the agent was told to stop. */
  drainGraceMs: number
  /** A name that can always be looked up, to recognise trouble of our own DNS; null for none. */
  controlName: string | null
  /** Whether packets of failed runs may be captured. */
  packetCapture: boolean
  /** It runs on the server's machine and reads the same clock, so that there is no offset to measure. */
  sharesServerClock: boolean
}

/** A setting that cannot be used. The message is for the person who set it. */
export class SettingProblem extends Error {}

/** Reads the settings of an agent that stands alone. Nothing else reads the environment. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): AgentSettings {
  const values = readConfiguration('agent', {
    env,
    readFile: (path) => readFileSync(path, 'utf8'),
    refusal: (message) => new SettingProblem(message),
  })
  const { httpsProxy, httpProxy, noProxy = [], concurrency = null, controlName: named, ...rest } = values
  const proxy = proxyFor(values.url, { httpsProxy, httpProxy, noProxy })
  // What is behind a proxy often cannot look up names of the internet, and need not.
  const controlName = named ?? (proxy === undefined ? hostNameOf(values.url) : '')
  return {
    ...rest,
    ...(proxy !== undefined && { proxy }),
    concurrency,
    controlName: controlName === '' ? null : controlName,
    sharesServerClock: false,
  }
}

/** The host of an address when it is a name of DNS, which an agent that reaches its server can look up; else ''. */
function hostNameOf(url: string): string {
  const { hostname } = new URL(url)
  return isThisMachine(hostname) || isIP(hostname) !== 0 || hostname.startsWith('[') ? '' : hostname
}
