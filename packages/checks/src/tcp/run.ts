import type { Run, RunContext } from '../core/check-type.ts'
import { observeAttempt, type Finding } from '../net/attempt.ts'
import type { Deadline } from '../net/deadline.ts'
import { createEgress, type Egress } from '../net/egress/egress.ts'
import { withTotal } from '../net/phases.ts'
import { TargetError } from '../net/target-error.ts'
import { exchangeData, quietMs, type DataReceived, type Patience } from '../net/tcp-data.ts'
import type { TcpDefinition } from './definition.ts'
import type { TcpEvidence } from './evidence.ts'
import type { TcpRequest } from './request-shape.ts'

const attemptTimeoutMs = 30_000
const dataSources = new Set(['RESPONSE_DATA', 'TEXT_BODY'])
const nothing: DataReceived = { text: '', truncated: false, tookMs: 0, error: undefined }

/** The longest response time that the contract allows as a limit. */
const longestResponseMs = 5000

/**
 * How long to listen after connecting; undefined when nothing is sent or asserted, so that the check ends with the
 * connection. An assertion on data waits for it as long as the response may take: what comes later is too late anyway.
 * An answer that nothing looks at is only shown, and is not waited for beyond a quiet moment.
 */
function patienceOf({ data, assertions }: TcpRequest, remainingMs: number): Patience | undefined {
  const limitMs = Math.max(0, remainingMs)
  if (assertions.some(({ source }) => dataSources.has(source))) return { firstByteMs: limitMs, limitMs }
  if (data === null || data === '') return undefined
  return { firstByteMs: Math.min(quietMs, limitMs), limitMs }
}

/** What a run needs of a definition. One stored by an older version may lack the limit. */
type Runnable = Pick<TcpDefinition, 'request'> & Partial<Pick<TcpDefinition, 'maxResponseTime'>>

async function observe(
  { request, maxResponseTime }: Runnable,
  egress: Egress,
  policy: RunContext['egress'],
  deadline: Deadline,
): Promise<Finding<TcpEvidence>> {
  const { hostname, port, data, ipFamily } = request
  const evidence: TcpEvidence = { request: { hostname, port, data, ipFamily } }
  try {
    const connection = await egress.connect({ host: hostname, port, family: ipFamily }, policy, deadline)
    const { socket, address, dnsMs, tcpMs } = connection
    const peer = { host: hostname, port }
    const patience = patienceOf(request, (maxResponseTime ?? longestResponseMs) - dnsMs - tcpMs)
    const received = patience ? await exchangeData(socket, data ?? '', { peer, patience }, deadline) : nothing
    socket.destroy()
    const { text, truncated, tookMs, error } = received
    evidence.response = {
      data: text,
      truncated,
      remoteAddress: address,
      timingPhases: withTotal({ dns: dnsMs, connection: tcpMs, data: tookMs }),
    }
    return error === undefined ? { evidence } : { evidence, error: error.toObserved() }
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    return { evidence, error: error.toObserved() }
  }
}

/** Makes the run of TCP checks. Its connections are opened by the given egress guard. */
const createTcpRun =
  (egress: Egress): Run<Runnable, TcpEvidence> =>
  (definition, context) =>
    observeAttempt(context, attemptTimeoutMs, (deadline) => observe(definition, egress, context.egress, deadline))

export const run = createTcpRun(createEgress())
