import { Link } from '@tanstack/react-router'
import type { Result } from '../api/types.ts'
import { stateOfResult } from './result-story.tsx'
import { StateIcon, stateLooks } from './state-mark.tsx'
import { absoluteTime, durationText } from './time-text.tsx'

/** Results, newest first. Each row opens the whole story. */
export function ResultTable({ results }: { results: readonly Result[] }) {
  if (results.length === 0) return <p className="text-ink-soft">No results in this range.</p>
  return (
    <ul aria-label="Results" className="divide-y divide-line">
      {results.map((result) => (
        <li key={result.id}>
          <Link
            to="/checks/$checkId/results/$resultId"
            params={{ checkId: result.checkId, resultId: result.id }}
            className="grid gap-x-4 py-2 hover:bg-sunken md:grid-cols-[8rem_18rem_9rem_8rem_1fr] md:items-center"
          >
            <span className="flex items-center gap-2 font-semibold">
              <StateIcon state={stateOfResult(result)} />
              {stateLooks[stateOfResult(result)].word}
            </span>
            <span>{absoluteTime(Date.parse(result.startedAt ?? result.dueAt), false)}</span>
            <span className="text-ink-soft">{result.runLocation}</span>
            <span className="md:text-right">
              {result.responseTime === null ? 'no response' : durationText(result.responseTime)}
            </span>
            <span className="min-w-0 truncate text-ink-soft">
              {result.resultType === 'ATTEMPT' && 'retried · '}
              {result.cause}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
