import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { CheckState } from '@vedette/wire'
import { call, withQuery } from '../api/client.ts'
import type { Overview } from '../api/types.ts'
import type { ChecksSearch } from '../app/router.tsx'
import { buttonLook } from '../components/button.tsx'
import { CheckRow } from '../components/check-row.tsx'
import { EmptyChecks } from '../components/empty-checks.tsx'
import { StateIcon, stateLooks } from '../components/state-mark.tsx'

const pageSize = 50
const shownStates: readonly CheckState[] = ['failing', 'degraded', 'unknown', 'pending', 'passing', 'paused']

/** The first page: what is wrong now comes first. */
export function ChecksPage() {
  const search = useSearch({ from: '/shell/' })
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
  const isFiltered = Object.keys(search).length > 0
  if (data.total === 0 && !isFiltered) return <EmptyChecks />
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <h1 className="text-2xl font-bold">{headline(data.counts)}</h1>
        <Link to="/checks/new/$path" params={{ path: 'api' }} className={buttonLook('primary')}>
          New check
        </Link>
      </div>
      <Filters search={search} overview={data} />
      <ul
        aria-label="Checks"
        className="mt-4 divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface"
      >
        {data.items.map((item) => (
          <CheckRow key={item.checkId} item={item} />
        ))}
        {data.items.length === 0 && <li className="p-6 text-ink-soft">No check matches these filters.</li>}
      </ul>
      <Paging search={search} total={data.total} />
    </>
  )
}

/** What is wrong now, in one sentence. */
function headline(counts: Overview['counts']): string {
  const all = Object.values(counts).reduce((sum, n) => sum + n, 0)
  const failing = counts.failing ?? 0
  const degraded = counts.degraded ?? 0
  if (failing > 0) return `${failing} of ${all} checks ${failing === 1 ? 'is' : 'are'} failing`
  if (degraded > 0) return `${degraded} of ${all} checks ${degraded === 1 ? 'is' : 'are'} degraded`
  if ((counts.unknown ?? 0) > 0) return `${counts.unknown} of ${all} checks cannot be judged`
  return (counts.passing ?? 0) > 0 ? `All is well: ${counts.passing} of ${all} checks pass` : `${all} checks`
}

function Filters({ search, overview }: { search: ChecksSearch; overview: Overview }) {
  const navigate = useNavigate()
  const change = (next: Partial<Record<keyof ChecksSearch, string | undefined>>) => {
    const merged = Object.fromEntries(
      Object.entries({ ...search, page: undefined, ...next }).filter(
        ([, value]) => value !== undefined && value !== '',
      ),
    )
    void navigate({ to: '/', search: merged, replace: true })
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <input
        id="search-checks"
        type="search"
        aria-label="Search checks by name or target"
        placeholder="Search name or target  ( / )"
        defaultValue={search.search ?? ''}
        onChange={(event) => change({ search: event.target.value })}
        className="min-h-11 w-full rounded-lg border border-line-strong bg-surface px-3 sm:w-72"
      />
      <select
        aria-label="Tag"
        value={search.tag ?? ''}
        onChange={(event) => change({ tag: event.target.value })}
        className="min-h-11 rounded-lg border border-line-strong bg-surface px-3"
      >
        <option value="">All tags</option>
        {overview.tags.map((tag) => (
          <option key={tag}>{tag}</option>
        ))}
      </select>
      <div role="group" aria-label="State" className="flex flex-wrap gap-1">
        {shownStates
          .filter((state) => (overview.counts[state] ?? 0) > 0 || search.state === state)
          .map((state) => (
            <button
              key={state}
              type="button"
              aria-pressed={search.state === state}
              onClick={() => change({ state: search.state === state ? undefined : state })}
              className="flex min-h-11 items-center gap-1.5 rounded-lg border border-line px-3 aria-pressed:border-accent aria-pressed:bg-accent-wash"
            >
              <StateIcon state={state} />
              {overview.counts[state] ?? 0} {stateLooks[state].word.toLowerCase()}
            </button>
          ))}
      </div>
    </div>
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
