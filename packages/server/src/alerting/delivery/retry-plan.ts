import type { SendOutcome } from '../channels/index.ts'
import type { Settlement } from './outbox-store.ts'

/** Retries after the first attempt. */
export const retries = 5
export const retryDelayMs = 20_000
/** Retries when there was no answer, about two hours: our own network may be down. */
export const unansweredRetries = 20
const longestDelayMs = 600_000
/** A receiver may ask for a longer pause, and not for one without end. */
const longestAskedMs = 3_600_000

type Plan = Omit<Settlement, 'result' | 'responseStatus'>

/** What follows from an attempt: the notification is settled, given up, or tried again. */
export function planAfter(outcome: SendOutcome, attempt: number, nowMs: number): Plan {
  if (outcome.accepted) return { status: 'SUCCESS', acceptedAt: nowMs, retryInMs: undefined }
  const limited = outcome.rateLimited
  const most = outcome.status === undefined ? unansweredRetries : retries
  if (!outcome.retryable || attempt > most) {
    return { status: limited ? 'RATE_LIMITED' : 'FAILURE', acceptedAt: undefined, retryInMs: undefined }
  }
  const askedMs = Math.min(longestAskedMs, limited?.retryAfterMs ?? 0)
  return { status: 'IN_PROGRESS', acceptedAt: undefined, retryInMs: Math.max(delayAfter(attempt), askedMs) }
}

const delayAfter = (attempt: number): number =>
  Math.min(longestDelayMs, retryDelayMs * 2 ** Math.max(0, attempt - retries))
