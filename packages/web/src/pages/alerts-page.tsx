import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AlertNotification } from '@vedette/wire'
import { call, withQuery } from '../api/client.ts'
import { NotificationList } from '../components/alerts/notification-list.tsx'
import { PageTitle } from '../components/basics/page-title.tsx'
import { Panel } from '../components/basics/panel.tsx'

const ranges = [
  { label: 'Last 6 hours', hours: 6 },
  { label: 'Last 24 hours', hours: 24 },
  { label: 'Last 7 days', hours: 168 },
  { label: 'Last 30 days', hours: 720 },
] as const

/** The notifications: to which channel, when, with what outcome, after how many tries. */
export function AlertsPage() {
  const [hours, setHours] = useState<number>(24)
  const [onlyFailed, setOnlyFailed] = useState(false)
  const from = Math.floor(Date.now() / 60_000) * 60 - hours * 3600
  const notifications = useQuery({
    queryKey: ['notifications', 'all', hours, onlyFailed],
    queryFn: () =>
      call<AlertNotification[]>(
        'GET',
        withQuery('/v1/alert-notifications', {
          from,
          to: from + hours * 3600 + 120,
          limit: 100,
          includeSystem: true,
          ...(onlyFailed && { hasFailures: true }),
        }),
      ),
  })
  return (
    <>
      <PageTitle text="Notifications" />
      <h1 className="mb-4 text-2xl font-bold">Notifications</h1>
      <div className="mb-4 flex flex-wrap items-center gap-4">
        <select
          aria-label="Time range"
          value={hours}
          onChange={(event) => setHours(Number(event.target.value))}
          className="min-h-11 rounded-lg border border-line-strong bg-surface px-3"
        >
          {ranges.map((range) => (
            <option key={range.hours} value={range.hours}>
              {range.label}
            </option>
          ))}
        </select>
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            className="size-5 accent-(--accent)"
            checked={onlyFailed}
            onChange={(event) => setOnlyFailed(event.target.checked)}
          />
          Only what was not delivered
        </label>
      </div>
      <Panel title="Newest first">
        {notifications.isError && (
          <p role="alert" className="text-fail">
            {notifications.error.message}
          </p>
        )}
        {notifications.isPending && <p className="text-ink-soft">Reading the ledger…</p>}
        {notifications.data && (
          <NotificationList notifications={notifications.data} empty="Nothing was sent in this time." />
        )}
      </Panel>
    </>
  )
}
