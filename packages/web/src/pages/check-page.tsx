import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { checkTypeOf, valueAt } from '@vedette/checks'
import type { AlertNotification, OverviewRow } from '@vedette/wire'
import { call, isNowhere, withQuery } from '../api/client.ts'
import type { ResultList } from '../api/listed-results.ts'
import { rowQuery } from '../api/overview.ts'
import { checkInForceQuery, type ReadCheck } from '../api/read-check.ts'
import type { CheckSearch } from '../app/check-search.ts'
import { PagePlaceOf } from '../app/page-place.ts'
import { NotificationList } from '../components/alerts/notification-list.tsx'
import { CheckActions } from '../components/check-head/check-actions.tsx'
import { Facts } from '../components/check-head/facts.tsx'
import { Verdict } from '../components/check-head/verdict.tsx'
import { stateLooks } from '../components/checks/state-mark.tsx'
import { HeartbeatPanels } from '../components/heartbeat/heartbeat-panels.tsx'
import { EpisodesPanel } from '../components/history/episodes-panel.tsx'
import { HistoryPanel } from '../components/history/history-panel.tsx'
import { ResultsPanel } from '../components/history/results-panel.tsx'
import { TriggerPanel } from '../components/triggers/trigger-panel.tsx'
import { Fault, Panel } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { NotFoundPage } from './not-found-page.tsx'

/** One check: the verdict and what can be done, its history over a range, and what it is. */
export function CheckPage() {
  const { checkId } = useParams({ from: '/shell/checks/$checkId' })
  const row = useQuery({ ...rowQuery(checkId), refetchInterval: 30_000 })
  if (row.isPending) return <Skeleton label="Reading the check" lines={8} />
  if (row.data === null || isNowhere(row.error)) return <NotFoundPage what="check" />
  if (row.data === undefined) return <Fault text={row.error?.message ?? ''} onRetry={() => void row.refetch()} />
  return <CheckView item={row.data} />
}

function CheckView({ item }: { item: OverviewRow }) {
  const { checkId } = item
  const search = useSearch({ from: '/shell/checks/$checkId' })
  const check = useQuery(checkInForceQuery(checkId))
  const isPassive = checkTypeOf(item.checkType)?.mode.kind === 'passive'
  return (
    <>
      <PagePlaceOf
        title={`${stateLooks[item.state].label}: ${item.name}`}
        crumbs={[{ label: 'Checks', to: '/' }, { label: item.name }]}
      />
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <h1 className="min-w-0 flex-1 basis-80 text-xl font-semibold tracking-tight break-words">{item.name}</h1>
        <div className="max-md:order-last max-md:basis-full">
          <CheckActions item={item} />
        </div>
        <div className="min-h-24 basis-full">
          <Verdict item={item} />
        </div>
      </div>
      <div className="mt-4 grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <HeartbeatPanels item={item} check={check.data} />
          <History item={item} check={check.data} search={search} />
          <EpisodesPanel checkId={checkId} search={search} />
          <ResultsPanel checkId={checkId} search={search} locations={check.data?.locations ?? []} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          {check.isError && <Fault text={check.error.message} onRetry={() => void check.refetch()} />}
          {check.data && <Facts check={check.data} item={item} />}
          <Notifications checkId={checkId} />
          {!isPassive && <TriggerPanel kind="checks" id={checkId} what="this check" />}
        </div>
      </div>
    </>
  )
}

interface HistoryProps {
  item: OverviewRow
  check: ReadCheck | undefined
  search: CheckSearch
}

function History({ item, check, search }: HistoryProps) {
  const { checkId } = item
  const navigate = useNavigate()
  const zoom = (from: number, to: number) =>
    void navigate({ to: '/checks/$checkId', params: { checkId }, search: { from, to: Math.max(to, from + 60) } })
  const open = async (from: number, to: number) => {
    const path = withQuery(`/v2/check-results/${checkId}`, {
      from: Math.floor(from / 1000),
      to: Math.ceil(to / 1000),
      fields: 'id,hasFailures',
      limit: 100,
    })
    const { entries } = await call<ResultList>('GET', path)
    const best = entries.find((entry) => (entry as { hasFailures?: boolean }).hasFailures) ?? entries[0]
    if (best === undefined) toast('No result of this moment is stored.')
    else await navigate({ to: '/checks/$checkId/results/$resultId', params: { checkId, resultId: best.id } })
  }
  return (
    <HistoryPanel
      item={item}
      search={search}
      limits={limitsOf(check)}
      onZoom={zoom}
      onOpen={(from, to) => void open(from, to)}
    />
  )
}

const limitsOf = (check: ReadCheck | undefined) => ({
  degraded: numberAt(check, 'degradedResponseTime'),
  failing: numberAt(check, 'maxResponseTime'),
})

function numberAt(check: ReadCheck | undefined, path: string): number | null {
  const value = check === undefined ? undefined : valueAt(check, path)
  return typeof value === 'number' ? value : null
}

function Notifications({ checkId }: { checkId: string }) {
  const notifications = useQuery({
    queryKey: ['notifications', 'check', checkId],
    queryFn: () =>
      call<AlertNotification[]>('GET', withQuery('/v1/alert-notifications', { checkId, from: 0, limit: 5 })),
  })
  return (
    <Panel title="Notifications">
      {notifications.isError && <Fault text={notifications.error.message} />}
      {notifications.data && (
        <NotificationList
          within="check"
          notifications={notifications.data}
          empty="None yet: no alert of this check was due."
        />
      )}
      {notifications.data && notifications.data.length > 0 && (
        <p className="mt-1 text-sm">
          <Link
            to="/alerts"
            search={{ check: checkId, hours: 720 }}
            className="text-accent underline underline-offset-2"
          >
            All of the last 30 days
          </Link>
        </p>
      )}
    </Panel>
  )
}
