import type { Run, RunContext } from '../core/check-type.ts'
import { observeAttempt, type Finding } from '../net/attempt.ts'
import type { Deadline } from '../net/deadline.ts'
import { createEgress, type Egress } from '../net/egress/egress.ts'
import { createHttpEngine } from '../net/http/http.ts'
import { readProxy, type HttpProxy } from '../net/http/proxy.ts'
import { HostTrouble, TargetError } from '../net/target-error.ts'
import { templateFiller } from '../template/check-templates.ts'
import { TemplateProblem } from '../template/template-problem.ts'
import type { ApiDefinition } from './fields.ts'
import type { ApiEvidence } from './evidence.ts'
import type { ApiRequest } from './request-shape.ts'
import { buildRequest, renderUrl } from './request.ts'

const requestTimeoutMs = 30_000

async function observe(
  request: ApiRequest,
  context: RunContext,
  egress: Egress,
  deadline: Deadline,
): Promise<Finding<ApiEvidence>> {
  try {
    const built = buildRequest(request, context)
    const engine = createHttpEngine({ egress, now: () => context.clock.now(), proxy: proxyOf(context) })
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

/** The proxy of the location. A mistake in its address is none of the check. */
function proxyOf(context: RunContext): HttpProxy | undefined {
  if (context.proxy === undefined) return undefined
  try {
    return readProxy(renderUrl(context.proxy, templateFiller(context)))
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error
    throw new HostTrouble('PROXY', `The address of the proxy of the location cannot be filled: ${error.message}`)
  }
}

/** Makes the run of API checks. Its connections are opened by the given egress guard. */
export const createApiRun =
  (egress: Egress): Run<Pick<ApiDefinition, 'request'>, ApiEvidence> =>
  ({ request }, context) =>
    observeAttempt(context, requestTimeoutMs, (deadline) => observe(request, context, egress, deadline))

export const run = createApiRun(createEgress())
