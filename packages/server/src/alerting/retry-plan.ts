import type { SendOutcome } from './channels/index.ts'
import type { Settlement } from './outbox-store.ts'

/** Retries after the first attempt. */
export const retries = 5
export const retryDelayMs = 20_000

type Plan = Omit<Settlement, 'result' | 'responseStatus'>

/** What an attempt means for its notification: settled, given up, or tried again. */
export function planAfter(outcome: SendOutcome, attempt: number, nowMs: number): Plan {
  if (outcome.accepted) return { status: 'SUCCESS', acceptedAt: nowMs, nextAttemptAt: undefined }
  const limited = outcome.rateLimited
  if (!outcome.retryable || attempt > retries) {
    return { status: limited ? 'RATE_LIMITED' : 'FAILURE', acceptedAt: undefined, nextAttemptAt: undefined }
  }
  const wait = Math.max(retryDelayMs, limited?.retryAfterMs ?? 0)
  return { status: 'IN_PROGRESS', acceptedAt: undefined, nextAttemptAt: nowMs + wait }
}
