import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { Overview } from '@vedette/wire'
import { call, withQuery } from '../api/client.ts'
import type { ChecksSearch } from '../app/checks-search.ts'
import { buttonLook } from '../components/basics/button.tsx'
import { CheckList } from '../components/checks/check-list.tsx'
import { ChecksFilters } from '../components/checks/checks-filters.tsx'
import { EmptyChecks } from '../components/checks/empty-checks.tsx'
import { headline } from '../components/checks/headline.ts'
import { PageTitle } from '../components/basics/page-title.tsx'
import { sharedTrouble } from '../components/checks/shared-trouble.ts'
import { healthQuery } from '../components/system/health-banner.tsx'
import { canWatch } from '../components/system/health-view.ts'
import { useConnection } from '../live/live-provider.tsx'

const pageSize = 50

/** The list of checks, after a sentence about what is wrong now. */
export function ChecksPage() {
  const search = useSearch({ from: '/shell/' })
  const connected = useConnection() !== 'lost'
  const health = useQuery(healthQuery)
  const overview = useQuery({
    queryKey: ['overview', search],
    queryFn: () => call<Overview>('GET', withQuery('/v1/overview', { ...search, limit: pageSize })),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })
  if (overview.isPending) return <p className="text-ink-soft">Reading checks…</p>
  if (overview.isError && !overview.data)
    return (
      <p role="alert" className="text-fail">
        {overview.error.message}
      </p>
    )
  const { data } = overview
  const title = headline(data.counts, connected && canWatch(health))
  const isFiltered = Object.keys(search).length > 0
  if (data.total === 0 && !isFiltered) return <EmptyChecks />
  return (
    <>
      <PageTitle text={title} />
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <h1 className="text-2xl font-bold">{title}</h1>
        <Link to="/checks/new/$path" params={{ path: 'api' }} className={buttonLook('primary')}>
          New check
        </Link>
      </div>
      <ul className="mb-3 empty:hidden">
        {sharedTrouble(data.items, Date.parse(data.serverTime)).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <ChecksFilters search={search} overview={data} />
      <CheckList key={JSON.stringify(search)} items={data.items} total={data.total} />
      <Paging search={search} total={data.total} />
    </>
  )
}

function Paging({ search, total }: { search: ChecksSearch; total: number }) {
  const pages = Math.ceil(total / pageSize)
  const current = search.page ?? 1
  if (pages <= 1) return null
  return (
    <nav aria-label="Pages" className="mt-4 flex items-center gap-3">
      {current > 1 && (
        <Link to="/" search={{ ...search, page: current - 1 }} className={buttonLook()}>
          Previous
        </Link>
      )}
      <span className="text-ink-soft">
        Page {current} of {pages}, {total} checks
      </span>
      {current < pages && (
        <Link to="/" search={{ ...search, page: current + 1 }} className={buttonLook()}>
          Next
        </Link>
      )}
    </nav>
  )
}
