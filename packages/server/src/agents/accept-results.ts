import { mostAheadMs, type ResultsResponse } from '@vedette/wire'
import { ApiError, unavailable } from '../api-error.ts'
import { unknownContent, type AcceptAnswer, type IncomingResult } from '../runs.ts'
import { cutText } from '../storable.ts'
import type { AgentApiDeps } from './agent-api-deps.ts'
import { attemptNamedBy } from './jobs/lease-token.ts'
import type { AgentKey } from './store.ts'
import type { Lease } from './plans/plan-claims.ts'
import { readReport } from './read-report.ts'

type Rejection = ResultsResponse['rejected'][number]
type Read = Omit<IncomingResult, 'receivedAt'> | Rejection

/** Accepts results that an agent reports. One without a valid lease is refused alone, not its batch. */
export async function acceptResults(
  deps: AgentApiDeps,
  from: { key: AgentKey; agentId: string },
  reports: readonly unknown[],
): Promise<Pick<ResultsResponse, 'accepted' | 'rejected'>> {
  const rejected: Rejection[] = []
  const incoming: IncomingResult[] = []
  const receivedAt = deps.clock.now()
  for (const report of reports) {
    const read = readResult(deps, { ...from, receivedAt }, report)
    if ('reason' in read) rejected.push(read)
    else incoming.push({ ...read, receivedAt })
  }
  noteClock(deps, from, incoming)
  const answer = await accept(deps, incoming)
  return { accepted: answer.accepted, rejected: [...rejected, ...answer.rejected] }
}

/** The lease token alone identifies a result. It is valid only with the location key it was issued to. */
function readResult(deps: AgentApiDeps, from: { key: AgentKey; receivedAt: number }, raw: unknown): Read {
  if (typeof raw !== 'object' || raw === null || !('lease' in raw) || typeof raw.lease !== 'string')
    return { attemptId: null, reason: 'The result names no lease.' }
  const claims = deps.tokens.read(raw.lease)
  if (claims === undefined) return { attemptId: attemptNamedBy(raw.lease), reason: 'The lease was not issued here.' }
  const { attemptId } = claims
  if (claims.keyId !== from.key.id) return { attemptId, reason: 'The run was leased to another location key.' }
  // Stored ahead of its time, it would keep the run of the slot from being stored, also after the key was revoked.
  if (claims.isPlanned && claims.dueAt > from.receivedAt + mostAheadMs)
    return { attemptId, reason: 'The slot is not due yet.' }
  return { identity: identityOf(claims), report: contentOf(deps, raw, claims), leasedAt: claims.leasedAt }
}

/** A report that says nothing ends its run as *not known*: refused, it would be run and refused again. */
function contentOf({ log }: AgentApiDeps, raw: object, lease: Lease): IncomingResult['report'] {
  const { attemptId, checkId, isPlanned } = lease
  const read = readReport(raw)
  // Of a run that was handed out the server decides whether it is retried.
  if ('content' in read) return isPlanned ? read.content : { ...read.content, retried: undefined }
  log.error({ attemptId, checkId, problem: read.problem }, 'The report of an agent cannot be read.')
  const text = `The report of the agent cannot be read: ${cutText(read.problem, 500)}`
  return unknownContent({ code: 'REPORT_NOT_READABLE', text })
}

const identityOf = ({
  keyId: _key,
  leasedAt: _at,
  workerClass: _class,
  timeoutMs: _timeout,
  isPlanned: _planned,
  ...identity
}: Lease) => identity

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
