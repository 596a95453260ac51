import { agentPaths, type Job } from './agent.ts'

/** The first version of the agent protocol. It is still accepted, because agents are updated after the server. */
export const agentProtocolV1 = 1

/** Paths of protocol 1. Its messages are those of protocol 2, apart from the differences below. */
export const agentPathsV1 = Object.fromEntries(
  Object.entries(agentPaths).map(([name, path]) => [name, path.replace('/agent/v2/', '/agent/v1/')]),
) as Record<keyof typeof agentPaths, string>

/** A job in the form of protocol 1, which has no client certificates. */
export function jobForV1({
  workerClass,
  timeoutMs,
  clientCertificates: _absent,
  ...job
}: Job): Record<string, unknown> {
  return { ...job, lane: workerClass, capMs: timeoutMs }
}

/** A result in today's form, from one of protocol 1: sent by an older agent, or left on the disk of an updated one. */
export const reportFromV1 = (report: unknown): unknown => withStatusCode(renamed(report, 'illness', 'internalError'))

/** In protocol 1 the status code is only in the type-specific part, and only API checks have one. */
function withStatusCode(report: unknown): unknown {
  if (!isRecord(report) || 'statusCode' in report || !isRecord(report.result)) return report
  const { apiCheckResult } = report.result
  const response = isRecord(apiCheckResult) ? apiCheckResult.response : undefined
  const status = isRecord(response) && Number.isInteger(response.status) ? response.status : null
  return { ...report, statusCode: status }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** The claims of a lease token in today's names, also those of a token that was signed before an update. */
export const claimsFromV1 = (claims: unknown): unknown => renamed(claims, 'lane', 'workerClass')

function renamed(value: unknown, before: string, now: string): unknown {
  if (!isRecord(value) || !(before in value)) return value
  const { [before]: moved, ...rest } = value
  return { ...rest, [now]: moved }
}
