import { agentPaths, type Job } from './agent.ts'

/** The first version of the agent protocol, which is still spoken: agents in the field are updated after the server. */
export const agentProtocolV1 = 1

/** Paths of protocol 1. Its messages are those of protocol 2, but for the names below. */
export const agentPathsV1 = Object.fromEntries(
  Object.entries(agentPaths).map(([name, path]) => [name, path.replace('/agent/v2/', '/agent/v1/')]),
) as Record<keyof typeof agentPaths, string>

/** A job as protocol 1 has it. */
export function jobForV1({ workerClass, timeoutMs, ...job }: Job): Record<string, unknown> {
  return { ...job, lane: workerClass, capMs: timeoutMs }
}

/** A result as it is reported now, from one of protocol 1: by an older agent, or from the disk of an updated one. */
export const reportFromV1 = (report: unknown): unknown => renamed(report, 'illness', 'internalError')

/** What a lease token says, from one that was signed before an update. */
export const claimsFromV1 = (claims: unknown): unknown => renamed(claims, 'lane', 'workerClass')

function renamed(value: unknown, before: string, now: string): unknown {
  if (typeof value !== 'object' || value === null || !(before in value)) return value
  const { [before]: moved, ...rest } = value as Record<string, unknown>
  return { ...rest, [now]: moved }
}
