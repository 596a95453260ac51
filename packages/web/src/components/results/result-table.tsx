import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ListedResult } from '../../api/listed-results.ts'
import { Button } from '../basics/button.tsx'
import { stateOfResult } from './result-story.tsx'
import { resultLabels, StateIcon } from '../checks/state-mark.tsx'
import { Moment } from '../basics/time-text.tsx'
import { durationText } from '../basics/format-time.ts'

const step = 20

/** Results, newest first. Each row links to the page of its result. */
export function ResultTable({ results }: { results: readonly ListedResult[] }) {
  const [shown, setShown] = useState(step)
  if (results.length === 0) return <p className="text-ink-soft">No results in this range.</p>
  return (
    <>
      <ul aria-label="Results" className="divide-y divide-line">
        {results.slice(0, shown).map((result) => (
          <li key={result.id}>
            <ResultRow result={result} />
          </li>
        ))}
      </ul>
      {results.length > shown && (
        <Button className="mt-3" onClick={() => setShown(shown + step)}>
          Show older results
        </Button>
      )}
    </>
  )
}

function ResultRow({ result }: { result: ListedResult }) {
  const state = stateOfResult(result)
  return (
    <Link
      to="/checks/$checkId/results/$resultId"
      params={{ checkId: result.checkId, resultId: result.id }}
      className="grid min-h-11 grid-cols-[1fr_auto] gap-x-4 py-2 hover:bg-sunken md:grid-cols-[8rem_18rem_9rem_6rem_1fr] md:items-center"
    >
      <span className="flex items-center gap-2 font-semibold">
        <StateIcon state={state} />
        {resultLabels[state]}
      </span>
      <span className="text-right md:order-1">
        {result.responseTime === null ? 'no response' : durationText(result.responseTime)}
      </span>
      <span className="text-sm md:text-base">
        <Moment at={result.startedAt ?? result.dueAt} />
      </span>
      <span className="text-right text-sm text-ink-soft md:text-left md:text-base">{result.runLocation}</span>
      <span className="col-span-2 min-w-0 truncate text-ink-soft md:order-2 md:col-span-1">
        {result.resultType === 'ATTEMPT' && 'retried · '}
        {result.cause}
      </span>
    </Link>
  )
}
