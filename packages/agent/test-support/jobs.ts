import { randomUUID } from 'node:crypto'
import type { Job } from '@vedette/wire'

const noUserCode = { localSetupScript: null, localTearDownScript: null, setupSnippetId: null, tearDownSnippetId: null }

/** A job for the scripted thread: `script` says how its run goes. */
export function scriptedJob(script: string, changes: Partial<Job> = {}): Job {
  const attemptId = randomUUID()
  return {
    attemptId,
    lease: `lease-of-${attemptId}`,
    leaseExpiresAt: Date.now() + 30_000,
    leasedAt: Date.now(),
    checkId: randomUUID(),
    checkName: 'A check',
    type: 'API',
    workerClass: 'network',
    location: 'eu-west-1',
    emulated: true,
    dueAt: Date.now(),
    attempt: 0,
    definition: { ...noUserCode, script, request: { method: 'GET', url: 'http://127.0.0.1' } },
    variables: [],
    egress: { privateTargets: true, deniedTargets: [] },
    timeoutMs: 30_000,
    ...changes,
  }
}
