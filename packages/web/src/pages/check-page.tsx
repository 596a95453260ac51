import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { AlertNotification, Overview, OverviewRow } from '@vedette/wire'
import { call, withQuery } from '../api/client.ts'
import { listedFields, type ListedResult, type ResultList } from '../api/listed-results.ts'
import { CheckActions } from '../components/checks/check-actions.tsx'
import { NotificationList } from '../components/alerts/notification-list.tsx'
import { PageTitle } from '../components/basics/page-title.tsx'
import { Panel } from '../components/basics/panel.tsx'
import { ResponseChart } from '../components/results/response-chart.tsx'
import { ResultTable } from '../components/results/result-table.tsx'
import { RunStrip } from '../components/checks/run-strip.tsx'
import { isStale } from '../components/system/stale.ts'
import { stateLooks } from '../components/checks/state-mark.tsx'
import { TimeAgo, useNow } from '../components/basics/time-text.tsx'
import { Verdict } from '../components/results/verdict.tsx'
import { useConnection } from '../live/live-provider.tsx'
import { NotFoundPage } from './not-found-page.tsx'

/** One check: the verdict, the last runs, the history. */
export function CheckPage() {
  const { checkId } = useParams({ from: '/shell/checks/$checkId' })
  const overview = useQuery({
    queryKey: ['overview', 'one', checkId],
    queryFn: () => call<Overview>('GET', withQuery('/v1/overview', { checkId })),
    refetchInterval: 30_000,
  })
  if (overview.isPending) return <p className="text-ink-soft">Reading the check…</p>
  if (overview.isError && !overview.data)
    return (
      <p role="alert" className="text-fail">
        {overview.error.message}
      </p>
    )
  const item = overview.data.items[0]
  if (!item) return <NotFoundPage />
  return <CheckView item={item} />
}

function CheckView({ item }: { item: OverviewRow }) {
  const stale = isStale(item, useNow(), useConnection() !== 'lost')
  const { checkId } = item
  return (
    <>
      <PageTitle text={`${stateLooks[item.state].label}: ${item.name}`} />
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h1 className="min-w-0 text-2xl font-bold break-words">{item.name}</h1>
        <CheckActions item={item} />
      </div>
      <div className="flex flex-col gap-4">
        <Verdict item={item} />
        <Panel title="Last runs">
          <RunStrip runs={item.runs} stale={stale} wide />
          <StripEnds runs={item.runs} />
        </Panel>
        <Timing checkId={checkId} />
        <Notifications checkId={checkId} />
        <History checkId={checkId} />
      </div>
    </>
  )
}

const filters = [
  { label: 'All runs', query: {} },
  { label: 'Failures only', query: { hasFailures: true } },
  { label: 'With attempts', query: { resultType: 'ALL' } },
] as const

/** The times at both ends of the strip. */
function StripEnds({ runs }: { runs: OverviewRow['runs'] }) {
  const [first] = runs
  const last = runs.at(-1)
  if (!first || !last) return <p className="mt-2 text-ink-soft">No run yet; the first one is on its way.</p>
  return (
    <p className="mt-2 flex justify-between gap-4 text-sm text-ink-soft">
      <span>
        {runs.length} {runs.length === 1 ? 'run' : 'runs'}, the first <TimeAgo at={first.at} />
      </span>
      <span>
        the last <TimeAgo at={last.at} />
      </span>
    </p>
  )
}

const resultsQuery = (checkId: string, filter: number) => ({
  queryKey: ['results', checkId, filter],
  queryFn: () =>
    call<ResultList>(
      'GET',
      withQuery(`/v2/check-results/${checkId}`, {
        ...filters[filter]?.query,
        fields: listedFields,
        from: 0,
        limit: 100,
      }),
    ),
  placeholderData: keepPreviousData,
})

/** The chart shows all runs, also when the list below is filtered. */
function Timing({ checkId }: { checkId: string }) {
  const results = useQuery(resultsQuery(checkId, 0))
  return (
    <Panel title="Response time">
      <ResponseChart results={results.data?.entries ?? nothing} />
    </Panel>
  )
}

const nothing: ListedResult[] = []

function History({ checkId }: { checkId: string }) {
  const [filter, setFilter] = useState(0)
  const results = useQuery(resultsQuery(checkId, filter))
  const chooser = (
    <select
      aria-label="Which results"
      value={filter}
      onChange={(event) => setFilter(Number(event.target.value))}
      className="min-h-11 rounded-lg border border-line-strong bg-surface px-3"
    >
      {filters.map(({ label }, index) => (
        <option key={label} value={index}>
          {label}
        </option>
      ))}
    </select>
  )
  const entries = results.data?.entries ?? []
  return (
    <Panel title="Results" aside={chooser}>
      {results.isError && (
        <p role="alert" className="text-fail">
          {results.error.message}
        </p>
      )}
      {results.isPending ? <p className="text-ink-soft">Reading results…</p> : <ResultTable results={entries} />}
    </Panel>
  )
}

function Notifications({ checkId }: { checkId: string }) {
  const notifications = useQuery({
    queryKey: ['notifications', 'check', checkId],
    queryFn: () =>
      call<AlertNotification[]>('GET', withQuery('/v1/alert-notifications', { checkId, from: 0, limit: 5 })),
  })
  return (
    <Panel title="Notifications">
      {notifications.isError && (
        <p role="alert" className="text-fail">
          {notifications.error.message}
        </p>
      )}
      {notifications.data && (
        <NotificationList
          within="check"
          notifications={notifications.data}
          empty="None yet: no alert of this check was due."
        />
      )}
      {notifications.data && notifications.data.length > 0 && (
        <Link to="/alerts" className="inline-flex min-h-11 items-center text-accent underline">
          All alerts
        </Link>
      )}
    </Panel>
  )
}
