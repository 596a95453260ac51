import type { ReactNode } from 'react'
import { checkTypeOf, valueAt, type CheckResult } from '@vedette/checks'
import { ResultView } from './result-view.tsx'
import { stateOfResult } from './state-of-result.ts'
import { resultLabels, StateBadge } from '../checks/state-mark.tsx'
import { Moment, TimeAgo } from '../time/time-text.tsx'
import { durationText } from '../time/format-time.ts'

interface Props {
  result: CheckResult
  /** Comes after the outcome. */
  children?: ReactNode
}

/** All parts of a result: what was done, what came back, what was expected. Two beside each other where there is room. */
export function ResultStory({ result, children }: Props) {
  const type = checkTypeOf(result.checkType)
  const part = type && type.resultKey !== null ? valueAt(result, type.resultKey) : undefined
  return (
    <div className="@container">
      <div className="grid gap-4 *:min-w-0 @4xl:grid-cols-2">
        <div className="flex flex-col gap-4 @4xl:col-span-2">
          <ResultHead result={result} />
          {children}
        </div>
        {type && part !== undefined && part !== null && <ResultView view={type.resultView} part={part} />}
      </div>
    </div>
  )
}

function ResultHead({ result }: { result: CheckResult }) {
  const started = result.startedAt ?? result.dueAt
  return (
    <section aria-label="Outcome" className="rounded-lg border border-line bg-surface p-4 shadow-raised">
      <p className="flex flex-wrap items-center gap-3">
        <StateBadge state={stateOfResult(result)} label={resultLabels[stateOfResult(result)]} />
        {result.runLocation !== null && (
          <span className="font-semibold">
            {result.responseTime === null ? 'No response measured' : durationText(result.responseTime)}
          </span>
        )}
        <span className="text-ink-soft">
          {result.runLocation}
          {result.emulatedLocation && ' (emulated)'}
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
