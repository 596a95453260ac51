import { checkTypeOf, valueAt, type CheckResult } from '@vedette/checks'
import type { CheckState } from '@vedette/wire'
import { ResultView } from './result-view.tsx'
import { resultLabels, StateBadge } from '../checks/state-mark.tsx'
import { Moment, TimeAgo } from '../basics/time-text.tsx'
import { durationText } from '../basics/format-time.ts'

/** The check state that corresponds to a result's outcome. */
export function stateOfResult(result: Pick<CheckResult, 'outcome' | 'isDegraded'>): CheckState {
  if (result.outcome === 'fail') return 'failing'
  if (result.outcome === 'unknown') return 'unknown'
  return result.isDegraded ? 'degraded' : 'passing'
}

/** All parts of a result: what was done, what came back, what was expected, what differs. */
export function ResultStory({ result }: { result: CheckResult }) {
  const type = checkTypeOf(result.checkType)
  const part = type && type.resultKey !== null ? valueAt(result, type.resultKey) : undefined
  return (
    <div className="flex flex-col gap-4">
      <ResultHead result={result} />
      {type && part !== undefined && part !== null && <ResultView view={type.resultView} part={part} />}
    </div>
  )
}

function ResultHead({ result }: { result: CheckResult }) {
  const started = result.startedAt ?? result.dueAt
  return (
    <section aria-label="Outcome" className="rounded-xl border border-line bg-surface p-4 md:p-5">
      <p className="flex flex-wrap items-center gap-3">
        <StateBadge state={stateOfResult(result)} label={resultLabels[stateOfResult(result)]} />
        <span className="font-semibold">
          {result.responseTime === null ? 'No response measured' : durationText(result.responseTime)}
        </span>
        <span className="text-ink-soft">
          {result.runLocation}
          {result.emulatedLocation && ' (run by the built-in agent)'}
          {result.runLocation !== null && ' · '}
          <TimeAgo at={started} />
        </span>
      </p>
      <p className="mt-2 text-lg break-words">
        {result.cause ?? result.internalError?.text ?? 'Everything was as expected.'}
      </p>
      {result.outcome === 'unknown' && (
        <p className="mt-1 text-ink-soft">
          The trouble was on our side: this run says nothing about the target and alerts nobody.
        </p>
      )}
      <p className="mt-2 text-sm text-ink-soft">
        <Moment at={started} />
        {result.attempts > 0 && ` · after ${result.attempts} ${result.attempts === 1 ? 'retry' : 'retries'}`}
        {result.late && ' · arrived late'}
      </p>
    </section>
  )
}
