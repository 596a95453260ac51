import { reportFromV1, resultReport, type LeaseClaims, type ResultsResponse } from '@vedette/wire'
import { ApiError, unavailable } from '../api-error.ts'
import type { AcceptAnswer, IncomingResult } from '../runs.ts'
import type { AgentApiDeps } from './agent-api-deps.ts'
import { attemptNamedBy } from './jobs/lease-token.ts'
import type { AgentKey } from './store.ts'

type Rejection = ResultsResponse['rejected'][number]
type Read = Omit<IncomingResult, 'receivedAt'> | Rejection

/** Accepts results that an agent reports. An invalid result is refused alone, not its batch. */
export async function acceptResults(
  deps: AgentApiDeps,
  from: { key: AgentKey; agentId: string },
  reports: readonly unknown[],
): Promise<Pick<ResultsResponse, 'accepted' | 'rejected'>> {
  const rejected: Rejection[] = []
  const incoming: IncomingResult[] = []
  const receivedAt = deps.clock.now()
  for (const report of reports) {
    const read = readReport(deps, from.key, report)
    if ('reason' in read) rejected.push(read)
    else incoming.push({ ...read, receivedAt })
  }
  noteClock(deps, from, incoming)
  const answer = await accept(deps, incoming)
  return { accepted: answer.accepted, rejected: [...rejected, ...answer.rejected] }
}

/** The lease token alone identifies a result. It is valid only with the location key it was issued to. */
function readReport(deps: AgentApiDeps, key: AgentKey, raw: unknown): Read {
  const token = typeof raw === 'object' && raw !== null && 'lease' in raw ? raw.lease : undefined
  if (typeof token !== 'string') return { attemptId: null, reason: 'The result names no lease.' }
  const claims = deps.tokens.read(token)
  if (claims === undefined) return { attemptId: attemptNamedBy(token), reason: 'The lease was not issued here.' }
  const { attemptId } = claims
  if (claims.keyId !== key.id) return { attemptId, reason: 'The run was leased to another location key.' }
  const report = resultReport.safeParse(reportFromV1(raw))
  if (report.success) return { identity: identityOf(claims), report: report.data, leasedAt: claims.leasedAt }
  const [issue] = report.error.issues
  return { attemptId, reason: `"${issue?.path.join('.') ?? ''}": ${issue?.message ?? 'not valid'}`.slice(0, 500) }
}

const identityOf = ({
  keyId: _key,
  leasedAt: _at,
  workerClass: _class,
  timeoutMs: _timeout,
  ...identity
}: LeaseClaims) => identity

async function accept({ work, log }: AgentApiDeps, incoming: readonly IncomingResult[]): Promise<AcceptAnswer> {
  try {
    return await work.accept(incoming)
  } catch (error) {
    if (error instanceof ApiError) throw error
    log.error({ err: error }, 'Results could not be stored; the agent will send them again.')
    throw unavailable('Results cannot be stored at this moment.', 2)
  }
}

function noteClock(deps: AgentApiDeps, from: { key: AgentKey; agentId: string }, results: readonly IncomingResult[]) {
  const last = results.findLast(({ report }) => !report.replayed)
  if (last !== undefined) deps.presence.clockOffset(from.key, from.agentId, last.report.clockOffsetMs)
}
