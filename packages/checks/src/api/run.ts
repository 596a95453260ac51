import type { Run, RunContext } from '../core/check-type.ts'
import { observeAttempt, type Finding } from '../net/attempt.ts'
import type { Deadline } from '../net/deadline.ts'
import { createEgress, type Egress } from '../net/egress/egress.ts'
import { createHttpEngine, type HttpEngine } from '../net/http/http.ts'
import { TargetError } from '../net/target-error.ts'
import type { ApiDefinition } from './fields.ts'
import type { ApiEvidence } from './evidence.ts'
import type { ApiRequest } from './request-shape.ts'
import { buildRequest } from './request.ts'

const requestTimeoutMs = 30_000

async function observe(
  wanted: ApiRequest,
  context: RunContext,
  engine: HttpEngine,
  deadline: Deadline,
): Promise<Finding<ApiEvidence>> {
  try {
    const built = buildRequest(wanted, context)
    const request = { ...built.request, clientCertificates: context.clientCertificates }
    const { response, error, certificateNotAfter } = await engine.send(request, context.egress, deadline)
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

/** Makes the run of API checks. Its connections are opened by the given egress guard. */
export const createApiRun =
  (egress: Egress): Run<Pick<ApiDefinition, 'request'>, ApiEvidence> =>
  ({ request }, context) => {
    const engine = createHttpEngine({ egress, now: () => context.clock.now() })
    return observeAttempt(context, requestTimeoutMs, (deadline) => observe(request, context, engine, deadline))
  }

export const run = createApiRun(createEgress())
