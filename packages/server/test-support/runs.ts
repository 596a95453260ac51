import { randomUUID } from 'node:crypto'
import type { Clock } from '@vedette/wire'
import { attemptId, sequenceId } from '@vedette/wire/ids'
import type { RunRef } from '../src/runs.ts'

/** A run of a new check, due now, at one location. */
export function someRef(clock: Pick<Clock, 'now'>, more: Partial<RunRef> = {}): RunRef {
  const checkId = more.checkId ?? randomUUID()
  const dueAt = more.dueAt ?? clock.now()
  const location = more.location ?? 'eu-west-1'
  const sequence = sequenceId(checkId, dueAt, location)
  const attempt = more.attempt ?? 0
  return {
    attemptId: attemptId(sequence, dueAt, attempt),
    sequenceId: sequence,
    accountId: randomUUID(),
    checkId,
    revision: 1,
    type: 'API',
    dueAt,
    location,
    workerClass: 'network',
    attempt,
    source: 'SCHEDULER',
    ...more,
  }
}
