/**
 * Why a call to the server did not succeed: `away` may pass by waiting, `denied` needs another key,
 * `rejected` means that this very message will never be taken.
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

/** Reads `Retry-After` in seconds; dates and anything over five minutes are not worth trusting. */
export function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined || !/^\d+$/.test(header)) return undefined
  return Math.min(Number(header), 300) * 1000
}

export function problemOf(status: number, text: string, retryAfter: string | undefined): ProtocolProblem {
  const said = `${status} ${messageOf(text)}`.trim()
  if (status === 401 || status === 403) return new ProtocolProblem('denied', said)
  if (status === 408 || status === 429 || status >= 500 || status < 400) {
    return new ProtocolProblem('away', said, retryAfterMs(retryAfter))
  }
  return new ProtocolProblem('rejected', said)
}

function messageOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && 'message' in body) return String(body.message).slice(0, 300)
  } catch {
    return text.slice(0, 100)
  }
  return text.slice(0, 100)
}
