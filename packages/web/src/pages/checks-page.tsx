import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { Suspense, useState } from 'react'
import { fleetQuery, rowsQuery } from '../api/overview.ts'
import { isFiltered, type ChecksSearch } from '../app/checks-search.ts'
import { useFoldedSections } from '../app/folded-sections.ts'
import { countsQuery } from '../app/frame/worst-state.ts'
import { lazyPart } from '../app/lazy-part.ts'
import { PagePlaceOf } from '../app/page-place.ts'
import { CheckList } from '../components/checks/check-list.tsx'
import { Arrangement, ChecksToolbar } from '../components/checks/checks-toolbar.tsx'
import { headline } from '../components/checks/headline.ts'
import { ListChanges } from '../components/checks/list-changes.tsx'
import { sectionsOf } from '../components/checks/sections.ts'
import { SavedViews } from '../components/checks/saved-views.tsx'
import { nothingSelected } from '../components/checks/selection.ts'
import { sharedTrouble } from '../components/checks/shared-trouble.ts'
import { healthQuery } from '../components/system/health-query.ts'
import { canWatch } from '../components/system/health-view.ts'
import { PartOnItsWay } from '../components/system/part-on-its-way.tsx'
import { useNow } from '../components/time/time-text.tsx'
import { useConnection } from '../live/live-provider.tsx'
import { Button, buttonLook } from '../ui/button.tsx'
import { Fault } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

// What a check can be is described by much code that a list of checks does not need.
const EmptyChecks = lazyPart('asked', async () => (await import('../components/checks/empty-checks.tsx')).EmptyChecks)
const BulkBar = lazyPart('asked', async () => (await import('../components/checks/bulk-bar.tsx')).BulkBar)

/** The list of checks, after a sentence about what is wrong now. */
export function ChecksPage() {
  const search = useSearch({ from: '/shell/' })
  const fleet = useQuery({ ...fleetQuery(search), placeholderData: keepPreviousData })
  if (fleet.isPending)
    return (
      <>
        <Head />
        <Skeleton label="Reading checks" lines={12} />
      </>
    )
  if (fleet.data === undefined) return <Fault text={fleet.error?.message ?? ''} onRetry={() => void fleet.refetch()} />
  if (fleet.data.total === 0 && !isFiltered(search))
    return (
      <Suspense>
        <EmptyChecks />
      </Suspense>
    )
  return <ChecksView search={search} fleet={fleet.data} fault={fleet.error?.message} />
}

interface Props {
  search: ChecksSearch
  fleet: Awaited<ReturnType<ReturnType<typeof fleetQuery>['queryFn']>>
  fault: string | undefined
}

function ChecksView({ search, fleet, fault }: Props) {
  const navigate = useNavigate()
  const [selection, setSelection] = useState(nothingSelected)
  const [isSelecting, setSelecting] = useState(false)
  const selectNone = () => {
    setSelection(nothingSelected)
    setSelecting(false)
  }
  const grouping = search.group ?? 'state'
  const { folded, toggle } = useFoldedSections(grouping)
  const show = (next: ChecksSearch) => {
    setSelection(nothingSelected)
    void navigate({ to: '/', search: next, replace: true })
  }
  const sections = sectionsOf(grouping, fleet.total, fleet.groups)
  return (
    <>
      <Head />
      <Shared search={search} />
      <SavedViews search={search} />
      <ChecksToolbar search={search} fleet={fleet} onChange={show} />
      {fault !== undefined && <Fault text={fault} />}
      <ListChanges
        aside={
          <span className="flex items-center">
            <Button
              look="quiet"
              className="md:hidden"
              aria-pressed={isSelecting}
              onClick={() => (isSelecting ? selectNone() : setSelecting(true))}
            >
              Select
            </Button>
            <Arrangement search={search} onChange={show} />
          </span>
        }
      >
        <CheckList
          key={JSON.stringify(search)}
          search={search}
          sections={sections}
          folded={isFiltered(search) ? nothingFolded : folded}
          onFold={toggle}
          selection={selection}
          isSelecting={isSelecting}
          onSelection={setSelection}
          onTag={(tag) => show({ ...search, tag })}
        />
      </ListChanges>
      {selection.ids.size > 0 && (
        <Suspense fallback={<PartOnItsWay />}>
          <BulkBar ids={[...selection.ids]} onDone={selectNone} />
        </Suspense>
      )}
    </>
  )
}

/** What was filtered for is shown, whatever is folded otherwise. */
const nothingFolded: ReadonlySet<string> = new Set()

/** What is wrong now, of all checks: filters do not change it. */
function Head() {
  const counts = useQuery(countsQuery)
  const health = useQuery(healthQuery)
  const isCurrent = useConnection() !== 'lost' && canWatch(health)
  const title = counts.data ? headline(counts.data.counts, isCurrent) : 'Checks'
  return (
    <div className="mb-3 flex items-center justify-between gap-3">
      <PagePlaceOf title="Checks" />
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      <Link to="/checks/new/$path" params={{ path: 'api' }} className={buttonLook('primary')}>
        <Plus aria-hidden="true" className="size-4" />
        New check
      </Link>
    </div>
  )
}

/** Where many checks fail, what they have in common. */
function Shared({ search }: { search: ChecksSearch }) {
  const failing = useQuery({
    ...rowsQuery({}, { section: 'trouble' }, 0),
    enabled: search.host === undefined,
  })
  const shared = sharedTrouble(failing.data ?? [], useNow(10_000))
  if (shared.length === 0 || search.host !== undefined) return null
  return (
    <ul className="mb-3 flex flex-col gap-1">
      {shared.map(({ text, view }) => (
        <li key={text}>
          {view === undefined ? (
            text
          ) : (
            <Link to="/" search={view} className="font-medium text-accent underline underline-offset-2">
              {text}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}
