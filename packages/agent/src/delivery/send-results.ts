import type { ResultsResponse } from '@vedette/wire'
import type { Log } from '../log.ts'
import { ProtocolProblem } from '../protocol/protocol-problem.ts'
import type { SpooledReport } from './spool-segment.ts'

export interface Sending {
  post(reports: readonly string[]): Promise<ResultsResponse>
  log: Log
}

/**
 * Sends reports and answers the attempt ids that are settled: stored, or refused for good. A message that the server
 * refuses as a whole is split in halves until the refused report is alone; it is then given up.
 */
export async function sendResults(sending: Sending, runs: readonly SpooledReport[]): Promise<Set<string>> {
  if (runs.length === 0) return new Set()
  try {
    return await sendOnce(sending, runs)
  } catch (error) {
    if (!(error instanceof ProtocolProblem) || error.kind !== 'rejected') throw error
    if (runs.length === 1) return giveUp(sending, runs, error.message)
    return sendParts(sending, halves(runs))
  }
}

async function sendOnce(sending: Sending, runs: readonly SpooledReport[]): Promise<Set<string>> {
  const answer = await sending.post(runs.map(({ report }) => report))
  const settled = new Set(answer.accepted)
  for (const { attemptId, reason } of answer.rejected) {
    if (attemptId !== null) settled.add(attemptId)
    sending.log.warn({ attemptId, reason }, 'the server refused a result')
  }
  // The refusal did not name its report, which is one of those left: they are sent one by one.
  const left = runs.filter(({ attemptId }) => !settled.has(attemptId))
  if (left.length === 0 || answer.rejected.every(({ attemptId }) => attemptId !== null)) return settled
  const more =
    left.length === 1
      ? giveUp(sending, left, 'unnamed')
      : await sendParts(
          sending,
          left.map((run) => [run]),
        )
  return new Set([...settled, ...more])
}

async function sendParts(sending: Sending, parts: readonly (readonly SpooledReport[])[]): Promise<Set<string>> {
  const settled = new Set<string>()
  for (const part of parts) for (const attemptId of await sendResults(sending, part)) settled.add(attemptId)
  return settled
}

function halves(runs: readonly SpooledReport[]): SpooledReport[][] {
  const middle = Math.ceil(runs.length / 2)
  return [runs.slice(0, middle), runs.slice(middle)]
}

function giveUp(sending: Sending, runs: readonly SpooledReport[], reason: string): Set<string> {
  const attemptIds = runs.map(({ attemptId }) => attemptId)
  sending.log.error({ attemptIds, reason }, 'a result the server will never take is given up')
  return new Set(attemptIds)
}
