import type { ObservedError } from '@vedette/wire'
import type { HttpResponseSeen, TimingPhases } from '../../core/http-exchange/evidence.ts'
import type { GuardedConnection } from '../egress/egress.ts'
import type { BodyRead } from './http-body.ts'
import type { ResponseHead } from './http-exchange.ts'
import { rounded, withTotal } from '../phases.ts'
import { joinedHeaders, type HttpRequest } from './http-message.ts'
import { bodyText } from './http-text.ts'
import type { TargetError } from '../target-error.ts'
import type { HandshakeFacts } from '../tls/tls.ts'

/**
 * The outcome of an exchange. Both response and error are set when the target answered and something was still wrong.
 */
export interface HttpOutcome {
  response?: HttpResponseSeen
  error?: ObservedError
  certificateNotAfter?: number
}

/** The hops of an exchange so far: their times added up, and the last answer. */
export interface Trail {
  readonly startedAt: number
  endedAt: number
  readonly phases: Record<'dns' | 'tcp' | 'tls' | 'firstByte' | 'download', number>
  readonly redirects: { status: number; location: string }[]
  readonly visited: Set<string>
  response?: HttpResponseSeen
  certificateNotAfter?: number
}

/** One hop whose response head arrived. */
export interface HopEnd {
  request: HttpRequest
  connection: GuardedConnection
  tls: HandshakeFacts | undefined
  head: ResponseHead
}

export function startTrail(): Trail {
  const startedAt = performance.now()
  const phases = { dns: 0, tcp: 0, tls: 0, firstByte: 0, download: 0 }
  return { startedAt, endedAt: startedAt, phases, redirects: [], visited: new Set() }
}

export const addHop = (trail: Trail, { method, url }: HttpRequest): void => {
  trail.visited.add(`${method} ${url.href}`)
}

const noPhases: TimingPhases = { wait: 0, dns: 0, tcp: 0, tls: 0, firstByte: 0, download: 0, total: 0 }

/** The response of a hop; its times are filled in after the last hop. */
export function responseOf(
  trail: Trail,
  { request, connection, tls, head }: HopEnd,
  body?: BodyRead,
): HttpResponseSeen {
  const { message } = head
  const text =
    body === undefined
      ? ''
      : bodyText(body.bytes, {
          contentType: message.headers['content-type'],
          unknownCoding: body.unknownCoding,
          binaryAsText: request.binaryAsText ?? false,
        })
  return {
    status: message.statusCode ?? 0,
    statusText: message.statusMessage ?? '',
    httpVersion: message.httpVersion,
    headers: joinedHeaders(message.rawHeaders),
    body: text,
    bodyBytes: body?.bytes.length ?? 0,
    truncated: body?.truncated ?? false,
    href: request.url.href,
    redirects: trail.redirects,
    remoteAddress: connection.address,
    ipFamily: connection.family,
    timings: {},
    timingPhases: noPhases,
    ...(tls !== undefined && { tls }),
  }
}

function phasesOf(trail: Trail, queuedAt: number): TimingPhases {
  const { dns, tcp, tls, firstByte, download } = trail.phases
  const between = trail.endedAt - trail.startedAt - (dns + tcp + tls + firstByte + download)
  return { wait: rounded(trail.startedAt - queuedAt), ...withTotal({ ...trail.phases, between }) }
}

/** The same as points in time after the start. */
function timingsOf({ wait, dns, tcp, tls, firstByte, total }: TimingPhases): Record<string, number> {
  const lookup = wait + dns
  const connect = lookup + tcp
  const secureConnect = connect + tls
  const points = {
    socket: wait,
    lookup,
    connect,
    secureConnect,
    response: secureConnect + firstByte,
    end: wait + total,
  }
  return Object.fromEntries(Object.entries(points).map(([name, ms]) => [name, rounded(ms)]))
}

/** Makes the outcome from the hops. `queuedAt` is when the attempt began waiting. */
export function outcomeOf(trail: Trail, queuedAt: number, error?: TargetError): HttpOutcome {
  const outcome: HttpOutcome = {}
  if (trail.response !== undefined) {
    const timingPhases = phasesOf(trail, queuedAt)
    outcome.response = { ...trail.response, timingPhases, timings: timingsOf(timingPhases) }
  }
  if (error !== undefined) outcome.error = error.toObserved()
  const notAfter = error?.certificateNotAfter ?? trail.certificateNotAfter
  if (notAfter !== undefined && !Number.isNaN(notAfter)) outcome.certificateNotAfter = notAfter
  return outcome
}
