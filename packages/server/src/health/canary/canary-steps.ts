import { mostAheadMs, type CanaryStep } from '@vedette/wire'

/** A run of the canary as the database has it; what has not happened yet is null. */
export interface CanaryRun {
  due_at: Date
  started_at: Date | null
  stopped_at: Date | null
  received_at: Date | null
  outcome: string | null
  cause: string | null
  decided_at: Date | null
  queued_at: Date | null
  accepted_at: Date | null
  notification_result: string | null
}

/** How long the whole road may take. */
export const canaryPatienceMs = 180_000

type Step = Pick<CanaryStep, 'name' | 'what'> & { at: (run: CanaryRun) => Date | null }

const steps: readonly Step[] = [
  { name: 'schedule', what: 'the run was due', at: (run) => run.due_at },
  { name: 'agent', what: 'an agent took it from the queue and started it', at: (run) => run.started_at },
  {
    name: 'verdict',
    what: 'the agent judged it failed, as it must',
    at: (run) => (run.outcome === 'fail' ? run.stopped_at : null),
  },
  { name: 'ingest', what: 'the result was stored', at: (run) => run.received_at },
  { name: 'state', what: 'the failure was alerted', at: (run) => run.decided_at },
  { name: 'outbox', what: 'a notification was queued', at: (run) => run.queued_at },
  { name: 'channel', what: 'the notification was accepted', at: (run) => run.accepted_at },
]

export const stepsOf = (run: CanaryRun): CanaryStep[] =>
  steps.map(({ name, what, at }) => ({ name, what, at: at(run)?.toISOString() ?? null }))

/** Why the run did not arrive; undefined when it did, or still may. One ahead of the clock is not awaited: it was set back. */
export function canaryFailure(run: CanaryRun, nowMs: number): { text: string; reason: string | null } | undefined {
  const ageMs = nowMs - run.due_at.getTime()
  const isAwaited = ageMs >= -mostAheadMs && ageMs < canaryPatienceMs
  if (run.accepted_at !== null || isAwaited) return undefined
  const missing = steps.find(({ at }) => at(run) === null)
  return {
    text: `The canary ended before the step "${missing?.name}".`,
    reason: run.notification_result ?? run.cause,
  }
}
