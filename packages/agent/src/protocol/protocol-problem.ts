/**
 * Why a call to the server did not succeed: `away` may succeed later, `denied` needs another key, `rejected` means that
 * this message will never be accepted.
 */
export type ProblemKind = 'away' | 'denied' | 'rejected'

export class ProtocolProblem extends Error {
  readonly kind: ProblemKind
  readonly retryAfterMs: number | undefined

  constructor(kind: ProblemKind, message: string, retryAfterMs?: number) {
    super(message)
    this.kind = kind
    this.retryAfterMs = retryAfterMs
  }
}

/** Reads `Retry-After` in seconds; dates and anything over five minutes are ignored. */
export function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined || !/^\d+$/.test(header)) return undefined
  return Math.min(Number(header), 300) * 1000
}

export function problemOf(status: number, text: string, retryAfter: string | undefined): ProtocolProblem {
  const body = bodyOf(text)
  const said = `${status} ${'message' in body ? String(body.message).slice(0, 300) : text.slice(0, 100)}`.trim()
  if (status === 401 || status === 403) return new ProtocolProblem('denied', said)
  const isFinal = status >= 400 && status < 500 && status !== 408 && status !== 429
  // Only the server itself can refuse a message for good: a proxy that is being reconfigured may answer 404 as well.
  const isServer = 'statusCode' in body && body.statusCode === status
  if (isFinal && (isServer || status === 413)) return new ProtocolProblem('rejected', said)
  return new ProtocolProblem('away', said, retryAfterMs(retryAfter))
}

function bodyOf(text: string): object {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}
