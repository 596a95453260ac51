import { RunCancelled, TargetError, troubleText } from '@vedette/checks/net'
import type { SendContext, SendOutcome } from '../channel-kind.ts'
import { requestGuarded, type GuardedAnswer } from '../guarded-request.ts'
import { retryAfterMs } from './retry-after.ts'
import type { RenderedWebhook } from './render.ts'

/** Limit for the whole delivery, from the DNS look-up to the end of the answer. */
export const webhookLimitMs = 10_000

/** Sends one request over a new guarded socket. Redirects are not followed. */
export async function sendWebhook(webhook: RenderedWebhook, context: SendContext): Promise<SendOutcome> {
  const over = new AbortController()
  const stop = () => over.abort()
  const cancel = context.clock.after(webhookLimitMs, stop)
  context.signal?.addEventListener('abort', stop, { once: true })
  try {
    const limits = { egress: context.egress, signal: over.signal, limitMs: webhookLimitMs }
    return judge(await requestGuarded(webhook, limits), webhook, context)
  } catch (error) {
    return failure(error, over.signal, context)
  } finally {
    cancel()
    context.signal?.removeEventListener('abort', stop)
  }
}

function judge(
  { status, headers, body }: GuardedAnswer,
  { method }: RenderedWebhook,
  { clock }: SendContext,
): SendOutcome {
  if (status >= 200 && status < 300) return { accepted: true, status, response: body }
  if (status >= 300 && status < 400) {
    const response = `Answered ${status} to ${method}: redirects are not followed, set the final URL.`
    return { accepted: false, retryable: false, status, response }
  }
  const refused = {
    accepted: false,
    retryable: true,
    status,
    response: body === '' ? `Answered ${status}.` : body,
  } as const
  if (status !== 429) return refused
  const wait = retryAfterMs(headers['retry-after'], clock.now())
  return { ...refused, rateLimited: wait === undefined ? {} : { retryAfterMs: wait } }
}

function failure(error: unknown, signal: AbortSignal, { signal: stopped }: SendContext): SendOutcome {
  const failed = { accepted: false, retryable: true } as const
  if (stopped?.aborted) return { ...failed, response: 'Interrupted by a stop of the server.' }
  if (signal.aborted || error instanceof RunCancelled) {
    return { ...failed, response: `No complete answer within ${webhookLimitMs / 1000} s.` }
  }
  // A denied target stays denied: no retry.
  const denied = error instanceof TargetError && error.code === 'EGRESS_DENIED'
  return { accepted: false, retryable: !denied, response: troubleText(error) }
}
