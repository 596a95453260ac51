import { isFinalStatus } from '@vedette/wire'
import type { VerbContext } from '../../access/write.ts'
import { invalidField } from '../../api-error.ts'
import { endSession, sequencesOf } from '../../sessions/index.ts'
import type { ApiDeps } from '../api-deps.ts'
import { cancelSequences, lockSession, readResults, type SessionRow } from './store.ts'
import { statusOf } from './to-session.ts'

interface Cancel {
  id: string
  /** Only these runs; all when undefined. */
  sequenceIds: readonly string[] | undefined
}

/** Cancels what is not over of a session. One that has ended stays as it is. */
export const cancelSession =
  ({ write, hooks, sessionEnds }: Pick<ApiDeps, 'write' | 'hooks' | 'sessionEnds'>) =>
  (ctx: VerbContext, { id, sequenceIds }: Cancel): Promise<undefined> =>
    write(ctx, { action: 'cancel', resource: 'check-sessions' }, async ({ client, at, existing }) => {
      const row = await existing('check session', lockSession(client, ctx.accountId, id))
      const all = sequencesOf(row.check_id, row.due_at, row.locations)
      const unknown = sequenceIds?.find((sequence) => !all.includes(sequence))
      if (unknown !== undefined)
        throw invalidField('sequenceId', `must be runs of this session, got ${JSON.stringify(unknown)}`)
      const results = await readResults(client, [row])
      const before = statusOf(row, results, at.getTime())
      const over = results.filter(({ result_type }) => result_type === 'FINAL').map(({ sequence_id }) => sequence_id)
      const now = (sequenceIds ?? all).filter((sequence) => !over.includes(sequence))
      const isQueued = row.due_at === null && sequenceIds === undefined
      if (isFinalStatus(before) || (now.length === 0 && !isQueued)) return { id, answer: undefined, unchanged: true }
      const cancelled = [...new Set([...row.cancelled_sequences, ...now])]
      await cancelSequences(client, id, cancelled)
      const status = isQueued ? 'CANCELLED' : statusOf(withCancelled(row, cancelled), results, at.getTime())
      if (isFinalStatus(status)) await endSession(client, { id, status, endedAt: at.getTime() })
      return {
        id,
        answer: undefined,
        before: { status: before },
        after: { status, sequenceId: now },
        announce: () => {
          sessionEnds.perhaps([row.check_id])
          return hooks.sessionsCancelled([id])
        },
      }
    })

const withCancelled = (row: SessionRow, cancelled: string[]): SessionRow => ({ ...row, cancelled_sequences: cancelled })
