import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { call, withQuery } from '../../api/client.ts'
import { listedFields, type ListedResult, type ResultList } from '../../api/listed-results.ts'
import { rangeOf, type CheckSearch } from '../../app/check-search.ts'
import { Button } from '../../ui/button.tsx'
import { Fault, Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { resultLabels, StateIcon } from '../checks/state-mark.tsx'
import { stateOfResult } from '../results/state-of-result.ts'
import { durationText } from '../time/format-time.ts'
import { ClockTime, serverNow } from '../time/time-text.tsx'

const step = 25

const filters = [
  { label: 'All runs', query: {} },
  { label: 'Failures only', query: { hasFailures: true } },
  { label: 'With attempts', query: { resultType: 'ALL' } },
] as const

interface Props {
  checkId: string
  search: CheckSearch
  locations: readonly string[]
}

/** The results of the range, newest first. */
export function ResultsPanel({ checkId, search, locations }: Props) {
  const [filter, setFilter] = useState(0)
  const [location, setLocation] = useState('')
  const results = useInfiniteQuery({
    queryKey: ['results', checkId, search, filter, location],
    queryFn: ({ pageParam }) => {
      const { from, to } = rangeOf(search, serverNow())
      return call<ResultList>(
        'GET',
        withQuery(`/v2/check-results/${checkId}`, {
          ...filters[filter]?.query,
          from,
          to: to + 1,
          location,
          fields: listedFields,
          limit: step,
          nextId: pageParam,
        }),
      )
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextId ?? undefined,
  })
  const entries = results.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <Panel
      title="Results"
      isFlush
      aside={
        <span className="flex gap-2">
          {locations.length > 1 && (
            <Select aria-label="Location" value={location} onChange={(event) => setLocation(event.target.value)}>
              <option value="">All locations</option>
              {locations.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </Select>
          )}
          <Select aria-label="Which results" value={filter} onChange={(event) => setFilter(Number(event.target.value))}>
            {filters.map(({ label }, at) => (
              <option key={label} value={at}>
                {label}
              </option>
            ))}
          </Select>
        </span>
      }
    >
      {results.isError && (
        <div className="px-4 pb-3">
          <Fault text={results.error.message} onRetry={() => void results.refetch()} />
        </div>
      )}
      {results.isPending && <Skeleton label="Reading results" className="px-4 pb-3" />}
      {results.isSuccess && entries.length === 0 && (
        <p className="px-4 pb-3 text-ink-soft">No result in this range matches.</p>
      )}
      <ul aria-label="Results" className="divide-y divide-line">
        {entries.map((result) => (
          <li key={result.id}>
            <ResultRow result={result} />
          </li>
        ))}
      </ul>
      {results.hasNextPage && (
        <div className="px-4 py-2">
          <Button isBusy={results.isFetchingNextPage} onClick={() => void results.fetchNextPage()}>
            Load older results
          </Button>
        </div>
      )}
    </Panel>
  )
}

function ResultRow({ result }: { result: ListedResult }) {
  const state = stateOfResult(result)
  return (
    <Link
      to="/checks/$checkId/results/$resultId"
      params={{ checkId: result.checkId, resultId: result.id }}
      className="grid min-h-9 grid-cols-[1fr_auto] items-center gap-x-3 px-4 py-1.5 text-sm outline-offset-[-2px] hover:bg-sunken max-md:min-h-11 md:grid-cols-[6.5rem_4.5rem_9.5rem_4rem_minmax(0,1fr)]"
    >
      <span className="flex items-center gap-1.5 font-medium">
        <StateIcon state={state} />
        {resultLabels[state]}
      </span>
      <span className="text-right text-ink-soft md:text-left">
        <ClockTime hasSeconds at={result.startedAt ?? result.dueAt} />
      </span>
      <span className="truncate text-ink-soft">
        {result.runLocation}
        {result.emulatedLocation && ' (emulated)'}
      </span>
      <span className="text-right">{timeText(result)}</span>
      <span className="col-span-2 flex min-w-0 items-center gap-1.5 text-ink-soft md:col-span-1">
        <Retried result={result} />
        <span className="line-clamp-2 min-w-0 break-words">{result.cause}</span>
      </span>
    </Link>
  )
}

/** A result of what runs nowhere has no response time to miss. */
function timeText({ responseTime, runLocation }: ListedResult): string {
  if (responseTime !== null) return durationText(responseTime)
  return runLocation === null ? '' : 'none'
}

/** A run that passed only after a retry is not a calm one. */
function Retried({ result }: { result: ListedResult }) {
  const text =
    result.resultType === 'ATTEMPT'
      ? 'retried'
      : result.attempts > 0
        ? `after ${result.attempts} ${result.attempts === 1 ? 'retry' : 'retries'}`
        : undefined
  if (text === undefined) return null
  return (
    <span className="flex shrink-0 items-center gap-1 rounded bg-degraded-wash px-1.5 text-xs leading-5 text-degraded">
      <RotateCw aria-hidden="true" className="size-3" />
      {text}
    </span>
  )
}
