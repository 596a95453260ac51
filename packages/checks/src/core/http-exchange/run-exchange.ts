import type { Run, RunContext } from '../check-type.ts'
import { observeAttempt, type Finding } from '../../net/attempt.ts'
import type { Deadline } from '../../net/deadline.ts'
import type { Egress } from '../../net/egress/egress.ts'
import { createHttpEngine, type HttpEngine } from '../../net/http/http.ts'
import { TargetError } from '../../net/target-error.ts'
import { buildRequest } from './build-request.ts'
import type { HttpEvidence } from './evidence.ts'
import type { HttpExchange } from './http-exchange.ts'
import { requestTimeoutMs } from './judgement.ts'

async function observe(
  exchange: HttpExchange,
  context: RunContext,
  engine: HttpEngine,
  deadline: Deadline,
): Promise<Finding<HttpEvidence>> {
  try {
    const built = buildRequest(exchange, context)
    const { response, error, certificateNotAfter } = await engine.send(built.request, context.egress, deadline)
    return {
      evidence: { request: built.sent, ...(response && { response }) },
      ...(error && { error }),
      ...(certificateNotAfter !== undefined && { certificate: { notAfter: certificateNotAfter } }),
    }
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    return { error: error.toObserved() }
  }
}

/**
 * Makes the run of a type that sends one HTTP request. Its connections are opened by the given egress guard;
 * `exchangeOf` says what a definition sends.
 */
export const createExchangeRun =
  <Def>(egress: Egress, exchangeOf: (definition: Def) => HttpExchange): Run<Def, HttpEvidence> =>
  (definition, context) => {
    const engine = createHttpEngine({ egress, now: () => context.clock.now() })
    return observeAttempt(context, requestTimeoutMs, (deadline) =>
      observe(exchangeOf(definition), context, engine, deadline),
    )
  }
