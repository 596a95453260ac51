import { reportFromV1, resultReport, type LeaseClaims, type ResultReport, type ResultsResponse } from '@vedette/wire'
import { unavailable } from '../api-error.ts'
import type { IncomingResult } from '../runs.ts'
import type { AgentApiDeps } from './agent-api-deps.ts'
import { attemptNamedBy } from './lease-token.ts'
import type { AgentKey } from './store.ts'

type Rejection = ResultsResponse['rejected'][number]
type Read = { claims: LeaseClaims; report: ResultReport } | Rejection

/** Takes in what an agent reports. One bad result is refused alone, never its batch. */
export async function acceptResults(
  deps: AgentApiDeps,
  from: { key: AgentKey; agentId: string },
  reports: readonly unknown[],
): Promise<Pick<ResultsResponse, 'accepted' | 'rejected'>> {
  const rejected: Rejection[] = []
  const incoming: IncomingResult[] = []
  const dryRuns: IncomingResult[] = []
  const receivedAt = deps.clock.now()
  for (const report of reports) {
    const read = readReport(deps, from.key, report)
    if ('reason' in read) rejected.push(read)
    else (read.claims.source === 'EDITOR' ? dryRuns : incoming).push({ ...read, receivedAt })
  }
  for (const dryRun of dryRuns) deps.onDryRunResult(dryRun)
  noteClock(deps, from, [...incoming, ...dryRuns])
  const stored = incoming.length === 0 ? { accepted: [], rejected: [] } : await store(deps, incoming)
  return {
    accepted: [...stored.accepted, ...dryRuns.map(({ claims }) => claims.attemptId)],
    rejected: [...rejected, ...stored.rejected],
  }
}

/** Identity comes from the token alone, and a token works only for the key it was made for. */
function readReport(deps: AgentApiDeps, key: AgentKey, raw: unknown): Read {
  const token = typeof raw === 'object' && raw !== null && 'lease' in raw ? raw.lease : undefined
  if (typeof token !== 'string') return { attemptId: null, reason: 'The result names no lease.' }
  const claims = deps.tokens.read(token)
  if (claims === undefined) return { attemptId: attemptNamedBy(token), reason: 'The lease was not issued here.' }
  const { attemptId } = claims
  if (claims.keyId !== key.id) return { attemptId, reason: 'The run was leased to another location key.' }
  const report = resultReport.safeParse(reportFromV1(raw))
  if (report.success) return { claims, report: report.data }
  const [issue] = report.error.issues
  return { attemptId, reason: `"${issue?.path.join('.') ?? ''}": ${issue?.message ?? 'not valid'}`.slice(0, 500) }
}

async function store(deps: AgentApiDeps, incoming: readonly IncomingResult[]) {
  try {
    const answer = await deps.ingest.accept(incoming)
    const ended = [...answer.accepted, ...answer.rejected.map(({ attemptId }) => attemptId)]
    await deps.queue.settle(ended)
    deps.onEnded(ended)
    return answer
  } catch (error) {
    deps.log.error({ err: error }, 'Results could not be stored; the agent will send them again.')
    throw unavailable('Results cannot be stored at this moment.', 2)
  }
}

function noteClock(deps: AgentApiDeps, from: { key: AgentKey; agentId: string }, results: readonly IncomingResult[]) {
  const last = results.findLast(({ report }) => !report.replayed)
  if (last !== undefined) deps.presence.clockOffset(from.key, from.agentId, last.report.clockOffsetMs)
}
