/**
 * Why a call to the server did not succeed: `away` got no answer, `busy` got one that says "not now", `denied` needs
 * another key, `rejected` means that this message will never be accepted.
 */
export type ProblemKind = 'away' | 'busy' | 'denied' | 'rejected'

export class ProtocolProblem extends Error {
  readonly kind: ProblemKind
  readonly retryAfterMs: number | undefined
  /** The server itself says so, and not a proxy or portal on the way. */
  readonly isServers: boolean

  constructor(
    kind: ProblemKind,
    message: string,
    more: { retryAfterMs?: number | undefined; isServers?: boolean } = {},
  ) {
    super(message)
    this.kind = kind
    this.retryAfterMs = more.retryAfterMs
    this.isServers = more.isServers ?? false
  }
}

/**
 * A standby, or a proxy in front of a dead server, cannot know when the next leader is there: whatever it says, the
 * agent asks again this soon.
 */
const longestPauseMs = 2000
const longestRateLimitMs = 60_000

/** Reads `Retry-After` in seconds; dates are ignored. */
export function retryAfterMs(status: number, header: string | undefined): number | undefined {
  if (header === undefined || !/^\d+$/.test(header)) return undefined
  return Math.min(Number(header) * 1000, status === 429 ? longestRateLimitMs : longestPauseMs)
}

export function problemOf(status: number, text: string, retryAfter: string | undefined): ProtocolProblem {
  const body = bodyOf(text)
  const said = `${status} ${'message' in body ? String(body.message).slice(0, 300) : text.slice(0, 100)}`.trim()
  const isServers = 'statusCode' in body && body.statusCode === status
  if (status === 401 || status === 403) return new ProtocolProblem('denied', said, { isServers })
  const isFinal = status >= 400 && status < 500 && status !== 408 && status !== 429
  // Only the server itself can refuse a message for good: a proxy that is being reconfigured may answer 404 as well.
  if (isFinal && (isServers || status === 413)) return new ProtocolProblem('rejected', said, { isServers })
  return new ProtocolProblem('busy', said, { isServers, retryAfterMs: retryAfterMs(status, retryAfter) })
}

function bodyOf(text: string): object {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}
