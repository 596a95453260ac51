import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { AlertNotification } from '@vedette/wire'
import { BellRing } from 'lucide-react'
import { channelsQuery } from '../api/channels.ts'
import { call, withQuery } from '../api/client.ts'
import { alertHours, type AlertsSearch } from '../app/alerts-search.ts'
import { PagePlaceOf } from '../app/page-place.ts'
import { byEpisode, type AlertEpisode } from '../components/alerts/by-episode.ts'
import { channelName } from '../components/alerts/channel-name.ts'
import { NotificationList } from '../components/alerts/notification-list.tsx'
import { serverNow } from '../components/time/time-text.tsx'
import { ToggleChip } from '../ui/chip.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Fault } from '../ui/panel.tsx'
import { Select } from '../ui/select.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const rangeLabels: Record<number, string> = {
  6: 'Last 6 hours',
  24: 'Last 24 hours',
  168: 'Last 7 days',
  720: 'Last 30 days',
}

/** The notifications, by trouble: to which channel, when, with what outcome, after how many tries. */
export function AlertsPage() {
  const search = useSearch({ from: '/shell/alerts' })
  const notifications = useQuery({
    queryKey: ['notifications', 'all', search],
    queryFn: () => call<AlertNotification[]>('GET', pathOf(search)),
  })
  const episodes = byEpisode(notifications.data ?? [])
  return (
    <>
      <PagePlaceOf title="Alerts" />
      <h1 className="mb-3 text-xl font-semibold tracking-tight">Alerts</h1>
      <Filters search={search} />
      {notifications.isError && (
        <Fault text={notifications.error.message} onRetry={() => void notifications.refetch()} />
      )}
      {notifications.isPending && <Skeleton label="Reading the ledger" />}
      {notifications.isSuccess && episodes.length === 0 && (
        <EmptyState icon={<BellRing />} title="Nothing was sent in this time">
          Failures, degradations and recoveries of checks stand here, with what became of each message.
        </EmptyState>
      )}
      <ul aria-label="Alerts" className="flex flex-col gap-3">
        {episodes.map((episode) => (
          <Episode key={episode.key} episode={episode} />
        ))}
      </ul>
    </>
  )
}

function Episode({ episode: { checkId, checkName, notifications } }: { episode: AlertEpisode }) {
  return (
    <li className="rounded-lg border border-line bg-surface px-4 py-2 shadow-raised">
      <h2 className="font-medium break-words">
        {checkId === null ? (
          checkName
        ) : (
          <Link
            to="/checks/$checkId"
            params={{ checkId }}
            className="inline-flex min-h-6 items-center hover:underline max-md:min-h-11"
          >
            {checkName}
          </Link>
        )}
      </h2>
      <NotificationList notifications={notifications} empty="" within="episode" />
    </li>
  )
}

function Filters({ search }: { search: AlertsSearch }) {
  const navigate = useNavigate()
  const channels = useQuery(channelsQuery)
  const change = (part: Partial<Record<keyof AlertsSearch, unknown>>) => {
    const merged = Object.entries({ ...search, ...part }).filter(([, value]) => value !== undefined && value !== '')
    void navigate({ to: '/alerts', search: Object.fromEntries(merged), replace: true })
  }
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <Select
        aria-label="Time range"
        value={search.hours ?? 24}
        onChange={(event) => change({ hours: Number(event.target.value) })}
      >
        {alertHours.map((hours) => (
          <option key={hours} value={hours}>
            {rangeLabels[hours]}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Channel"
        value={search.channel ?? ''}
        onChange={(event) => change({ channel: event.target.value === '' ? undefined : Number(event.target.value) })}
      >
        <option value="">All channels</option>
        {channels.data?.items.map((channel) => (
          <option key={channel.id} value={channel.id}>
            {channelName(channel)}
          </option>
        ))}
      </Select>
      <ToggleChip isOn={search.failed === true} onClick={() => change({ failed: search.failed ? undefined : true })}>
        Only what was not delivered
      </ToggleChip>
      {search.check !== undefined && (
        <ToggleChip isOn onClick={() => change({ check: undefined })}>
          Of one check
        </ToggleChip>
      )}
    </div>
  )
}

function pathOf({ hours = 24, channel, check, failed }: AlertsSearch): string {
  const to = Math.ceil(serverNow() / 1000) + 60
  return withQuery('/v1/alert-notifications', {
    from: to - hours * 3600,
    to,
    limit: 100,
    alertChannelId: channel,
    checkId: check,
    ...(check === undefined && { includeSystem: true }),
    ...(failed && { hasFailures: true }),
  })
}
