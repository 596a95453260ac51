import type { Run, RunContext } from '../core/check-type.ts'
import { observeAttempt, type Finding } from '../net/attempt.ts'
import type { Deadline } from '../net/deadline.ts'
import { createEgress, type Egress } from '../net/egress/egress.ts'
import { TargetError } from '../net/target-error.ts'
import { exchangeData, type DataReceived } from '../net/tcp-data.ts'
import type { TcpDefinition } from './definition.ts'
import type { TcpEvidence } from './evidence.ts'
import type { TcpRequest } from './request-shape.ts'

const attemptTimeoutMs = 30_000
const dataSources = new Set(['RESPONSE_DATA', 'TEXT_BODY'])
const nothing: DataReceived = { text: '', truncated: false, tookMs: 0, error: undefined }

/** Whether data is sent or read after connecting; otherwise the check ends with the connection. */
const wantsData = ({ data, assertions }: TcpRequest): boolean =>
  (data !== null && data !== '') || assertions.some(({ source }) => dataSources.has(source))

const rounded = (ms: number): number => Math.round(Math.max(0, ms) * 100) / 100

async function observe(
  request: TcpRequest,
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
    const received = wantsData(request) ? await exchangeData(socket, data ?? '', peer, deadline) : nothing
    socket.destroy()
    const { text, truncated, tookMs, error } = received
    evidence.response = {
      data: text,
      truncated,
      remoteAddress: address,
      timingPhases: {
        dns: rounded(dnsMs),
        connection: rounded(tcpMs),
        data: rounded(tookMs),
        total: rounded(dnsMs + tcpMs + tookMs),
      },
    }
    return error === undefined ? { evidence } : { evidence, error: error.toObserved() }
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    return { evidence, error: error.toObserved() }
  }
}

/** Makes the run of TCP checks. Its connections are opened by the given egress guard. */
const createTcpRun =
  (egress: Egress): Run<Pick<TcpDefinition, 'request'>, TcpEvidence> =>
  ({ request }, context) =>
    observeAttempt(context, attemptTimeoutMs, (deadline) => observe(request, egress, context.egress, deadline))

export const run = createTcpRun(createEgress())
