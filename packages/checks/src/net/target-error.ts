import type { ObservedError } from '@vedette/wire'

/** Steps of an exchange, and how failures call them. */
const phaseNames = {
  template: 'Template',
  egress: 'Egress guard',
  dns: 'DNS',
  /** A question that is itself what is checked, unlike one for the address of a target. */
  query: 'DNS',
  tcp: 'TCP',
  ping: 'Ping',
  tls: 'TLS',
  request: 'Request',
  firstByte: 'HTTP',
  download: 'Download',
  redirect: 'Redirect',
  data: 'Data',
} as const
export type Phase = keyof typeof phaseNames

/** What went wrong in a phase, as results and alerts tell it: `TCP: 127.0.0.1:5432 refused the connection`. */
export const observedText = (phase: Phase, text: string): string => `${phaseNames[phase]}: ${text}`

/**
 * Trouble of the target, thrown until it becomes data. The message is for people and begins with a small letter, because the
 * name of the phase stands before it.
 */
export class TargetError extends Error {
  readonly phase: Phase
  readonly code: string
  /** True when no answer of the protocol was received. */
  readonly network: boolean
  /** End of the certificate that was refused, epoch milliseconds. */
  readonly certificateNotAfter: number | undefined

  constructor(
    phase: Phase,
    code: string,
    text: string,
    more: { network?: boolean; certificateNotAfter?: number } = {},
  ) {
    super(text)
    this.name = 'TargetError'
    this.phase = phase
    this.code = code
    this.network = more.network ?? true
    this.certificateNotAfter = more.certificateNotAfter
  }

  toObserved(): ObservedError {
    const { phase, code, network } = this
    return { phase, code, text: observedText(phase, this.message).slice(0, 2000), network }
  }
}

/** The run was cancelled, or the agent stops. It says nothing about the target. */
export class RunCancelled extends Error {
  constructor() {
    super('The run was cancelled')
    this.name = 'RunCancelled'
  }
}

/** This machine, or the proxy of its location, could not do its part of a run. It says nothing about the target. */
export class HostTrouble extends Error {
  readonly code: string

  constructor(code: 'NO_NETWORK' | 'NO_RESOURCES' | 'PROXY' | 'CANNOT_PING', text: string) {
    super(text)
    this.name = 'HostTrouble'
    this.code = code
  }
}

/** What went wrong, with its phase where a target is to blame. */
export const troubleText = (error: unknown): string =>
  error instanceof TargetError ? error.toObserved().text : error instanceof Error ? error.message : String(error)

/** The code of a system error, or a stand-in. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'ERROR'

/** A time limit as people write it: `1.5 s`, `20 s`, `300 ms`. */
export const formatLimit = (ms: number): string =>
  ms >= 1000 ? `${Number((Math.round(ms) / 1000).toFixed(1))} s` : `${Math.round(ms)} ms`

/** `host:port`, with brackets around IPv6; the host alone where there is no port. */
export const formatEndpoint = (host: string, port: number | undefined): string =>
  port === undefined ? host : host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
