import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { call, withQuery } from '../api/client.ts'
import { listedFields } from '../api/types.ts'
import type { Notification, Overview, ResultList } from '../api/types.ts'
import { CheckActions } from '../components/check-actions.tsx'
import { NotificationList } from '../components/notification-list.tsx'
import { Panel } from '../components/panel.tsx'
import { ResponseChart } from '../components/response-chart.tsx'
import { ResultTable } from '../components/result-table.tsx'
import { RunStrip } from '../components/run-strip.tsx'
import { Verdict } from '../components/verdict.tsx'
import { NotFoundPage } from './not-found-page.tsx'

/** One check: the verdict first, then the last runs, then how it got there. */
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
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h1 className="min-w-0 text-2xl font-bold break-words">{item.name}</h1>
        <CheckActions item={item} />
      </div>
      <div className="flex flex-col gap-4">
        <Verdict item={item} />
        <Panel title="Last runs">
          <RunStrip runs={item.runs} wide />
        </Panel>
        <History checkId={checkId} />
        <Told checkId={checkId} />
      </div>
    </>
  )
}

const filters = [
  { label: 'All runs', query: {} },
  { label: 'Failures only', query: { hasFailures: true } },
  { label: 'With attempts', query: { resultType: 'ALL' } },
] as const

function History({ checkId }: { checkId: string }) {
  const [filter, setFilter] = useState(0)
  const results = useQuery({
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
  })
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
    <>
      <Panel title="Response time">
        <ResponseChart results={entries} />
      </Panel>
      <Panel title="Results" aside={chooser}>
        {results.isError && (
          <p role="alert" className="text-fail">
            {results.error.message}
          </p>
        )}
        {results.isPending ? <p className="text-ink-soft">Reading results…</p> : <ResultTable results={entries} />}
      </Panel>
    </>
  )
}

function Told({ checkId }: { checkId: string }) {
  const told = useQuery({
    queryKey: ['notifications', 'check', checkId],
    queryFn: () => call<Notification[]>('GET', withQuery('/v1/alert-notifications', { checkId, from: 0, limit: 20 })),
  })
  return (
    <Panel title="Who was told">
      {told.isError && (
        <p role="alert" className="text-fail">
          {told.error.message}
        </p>
      )}
      {told.data && <NotificationList notifications={told.data} empty="Nobody yet: no alert of this check was due." />}
    </Panel>
  )
}
