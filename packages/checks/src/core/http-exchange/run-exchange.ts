import type { Run, RunContext } from '../check-type.ts'
import { observeAttempt, type Finding } from '../../net/attempt.ts'
import type { Deadline } from '../../net/deadline.ts'
import type { Egress } from '../../net/egress/egress.ts'
import { createHttpEngine } from '../../net/http/http.ts'
import { readProxy, type HttpProxy } from '../../net/http/proxy.ts'
import { HostTrouble, TargetError } from '../../net/target-error.ts'
import { templateFiller } from '../../template/check-templates.ts'
import { TemplateProblem } from '../../template/template-problem.ts'
import { buildRequest, renderUrl } from './build-request.ts'
import type { HttpEvidence } from './evidence.ts'
import type { HttpExchange } from './http-exchange.ts'
import { requestTimeoutMs } from './judgement.ts'

async function observe(
  exchange: HttpExchange,
  context: RunContext,
  egress: Egress,
  deadline: Deadline,
): Promise<Finding<HttpEvidence>> {
  try {
    const built = buildRequest(exchange, context)
    const { tried } = context
    const now = () => context.clock.now()
    const engine = createHttpEngine({ egress, now, proxy: proxyOf(context), tried })
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

/**
 * Makes the run of a type that sends one HTTP request. Its connections are opened by the given egress guard;
 * `exchangeOf` says what a definition sends.
 */
export const createExchangeRun =
  <Def>(egress: Egress, exchangeOf: (definition: Def) => HttpExchange): Run<Def, HttpEvidence> =>
  (definition, context) =>
    observeAttempt(context, requestTimeoutMs, (deadline) => observe(exchangeOf(definition), context, egress, deadline))
