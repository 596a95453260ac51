import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CheckResult } from '@vedette/checks'
import { call, withQuery } from '../../api/client.ts'
import { listedFields, type ResultList } from '../../api/listed-results.ts'
import { Panel } from '../../ui/panel.tsx'
import { resultLabels, StateIcon } from '../checks/state-mark.tsx'
import { durationText } from '../time/format-time.ts'
import { stateOfResult } from './state-of-result.ts'

/** The attempts of the same run side by side: what the first one met, and what the retries came to. */
export function Attempts({ result }: { result: CheckResult }) {
  const attempts = useQuery({
    queryKey: ['results', result.checkId, 'attempts', result.sequenceId],
    queryFn: () =>
      call<ResultList>(
        'GET',
        withQuery(`/v2/check-results/${result.checkId}`, {
          resultType: 'ALL',
          fields: listedFields,
          sequenceId: result.sequenceId ?? undefined,
          limit: 100,
        }),
      ),
  })
  const ofRun = (attempts.data?.entries ?? []).toReversed()
  if (ofRun.length < 2) return null
  return (
    <Panel title="Attempts of this run">
      <ol className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
        {ofRun.map((entry) => (
          <li key={entry.id}>
            <Link
              to="/checks/$checkId/results/$resultId"
              params={{ checkId: entry.checkId, resultId: entry.id }}
              className="block h-full rounded-md border border-line px-3 py-2 text-sm hover:bg-sunken aria-[current=page]:border-accent aria-[current=page]:bg-accent-wash"
              aria-current={entry.id === result.id ? 'page' : undefined}
            >
              <span className="flex items-center gap-1.5 font-medium">
                <StateIcon state={stateOfResult(entry)} />
                Attempt {entry.attempts + 1}: {resultLabels[stateOfResult(entry)].toLowerCase()}
              </span>
              <span className="block text-ink-soft">
                {entry.runLocation}
                {entry.emulatedLocation && ' (emulated)'} ·{' '}
                {entry.responseTime === null ? 'no response' : durationText(entry.responseTime)}
              </span>
              <span className="block break-words">{entry.cause}</span>
            </Link>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
