import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { HeartbeatAvailability, HeartbeatEvent, HeartbeatState, OverviewRow } from '@vedette/wire'
import { heartbeatEventsQuery, heartbeatTimerQuery } from '../../api/heartbeat.ts'
import type { ReadCheck } from '../../api/read-check.ts'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import { Commands, CopyText } from '../../ui/copy-text.tsx'
import { Fault, Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { percentText } from '../time/format-time.ts'
import { ClockTime, Moment, TimeAgo } from '../time/time-text.tsx'
import { commandsFor } from './commands.ts'
import { eventAddress } from './send-ping.tsx'

const looks: Record<HeartbeatState, { label: string; tone: BadgeTone; meaning: string }> = {
  EARLY: { label: 'Early', tone: 'accent', meaning: 'before four fifths of the period' },
  RECEIVED: { label: 'On time', tone: 'pass', meaning: 'when it was expected' },
  GRACE: { label: 'In grace', tone: 'degraded', meaning: 'after the period, within the grace' },
  LATE: { label: 'Late', tone: 'degraded', meaning: 'after the grace' },
  FAILING: { label: 'Missing', tone: 'fail', meaning: 'no ping came until the end of the grace' },
}

/** What a check waits for, where pings go to, and those that came. */
export function HeartbeatPanels({ item, check }: { item: OverviewRow; check: ReadCheck | undefined }) {
  const address = eventAddress(check)
  if (address === undefined) return null
  return (
    <>
      <WaitPanel item={item} />
      <AddressPanel address={address} />
      <PingsPanel checkId={item.checkId} />
    </>
  )
}

function WaitPanel({ item }: { item: OverviewRow }) {
  const timer = useQuery(heartbeatTimerQuery(item.checkId))
  return (
    <Panel title="Next ping">
      {timer.isError && <Fault text={timer.error.message} onRetry={() => void timer.refetch()} />}
      {timer.isPending && <Skeleton label="Reading the timer" lines={2} />}
      {timer.data && (
        <dl className="grid gap-3 text-sm sm:grid-cols-3 [&_dt]:text-ink-soft">
          <Time label="Last ping" at={timer.data.lastPingAt} otherwise="None yet" />
          <Time label="Expected" at={timer.data.expectedAt} otherwise={whyNot(item, timer.data.lastPingAt)} />
          <Time
            label={item.state === 'failing' ? 'Fails again' : 'Fails'}
            at={timer.data.deadlineAt}
            otherwise={whyNot(item, timer.data.lastPingAt)}
          />
        </dl>
      )}
    </Panel>
  )
}

function whyNot(item: OverviewRow, lastPingAt: string | null): string {
  if (!item.activated) return 'Not while it is paused'
  return lastPingAt === null ? 'The first ping starts the timer' : 'Not known'
}

function Time({ label, at, otherwise }: { label: string; at: string | null; otherwise: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="mt-0.5">
        {at === null ? (
          otherwise
        ) : (
          <>
            <span className="block font-medium">
              <TimeAgo at={at} />
            </span>
            <Moment at={at} />
          </>
        )}
      </dd>
    </div>
  )
}

function AddressPanel({ address }: { address: string }) {
  return (
    <Panel title="Ping URL">
      <div className="flex flex-col gap-3">
        <p className="text-sm text-ink-soft">
          Have the job request this address, by GET or POST, when it has finished. Whoever knows it can send pings.
        </p>
        <div className="rounded-md bg-sunken p-1.5">
          <CopyText text={address} label="Copy the ping URL" />
        </div>
        <Commands commands={commandsFor(address)} />
      </div>
    </Panel>
  )
}

function PingsPanel({ checkId }: { checkId: string }) {
  const events = useQuery(heartbeatEventsQuery(checkId))
  return (
    <Panel title="Last pings" isFlush>
      {events.isError && (
        <div className="px-4 pb-3">
          <Fault text={events.error.message} onRetry={() => void events.refetch()} />
        </div>
      )}
      {events.isPending && <Skeleton label="Reading pings" className="px-4 pb-3" />}
      {events.data && (
        <p className="px-4 pb-2 text-sm text-ink-soft">
          <Share label="24 hours" of={events.data.stats.last24Hours} /> ·{' '}
          <Share label="7 days" of={events.data.stats.last7Days} />
        </p>
      )}
      {events.data?.events.length === 0 && (
        <p className="px-4 pb-3 text-ink-soft">
          None yet. Put the line above at the end of the job, or press “Send a ping” to try it.
        </p>
      )}
      <ol aria-label="Last pings" className="divide-y divide-line">
        {events.data?.events.map((event) => (
          <li key={event.id}>
            <PingRow checkId={checkId} event={event} />
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function Share({ label, of }: { label: string; of: HeartbeatAvailability }) {
  const { currentPeriod } = of.successRatio
  if (currentPeriod === undefined) return <>{label}: nothing</>
  return (
    <>
      {label}: {percentText(currentPeriod)} of {of.totalEntitiesCurrentPeriod} came
    </>
  )
}

function PingRow({ checkId, event }: { checkId: string; event: HeartbeatEvent }) {
  const { label, tone, meaning } = looks[event.state]
  const from = [event.source, event.userAgent].filter((text) => text !== null).join(' · ')
  return (
    <Link
      to="/checks/$checkId/results/$resultId"
      params={{ checkId, resultId: event.id }}
      className="grid min-h-9 grid-cols-[6rem_1fr] items-center gap-x-3 px-4 py-1.5 text-sm outline-offset-[-2px] hover:bg-sunken max-md:min-h-11 md:grid-cols-[6rem_6rem_minmax(0,1fr)]"
    >
      <span>
        <Badge tone={tone}>{label}</Badge>
      </span>
      <span className="text-ink-soft max-md:text-right">
        <ClockTime hasSeconds at={event.timestamp} />
      </span>
      <span className="min-w-0 truncate text-ink-soft max-md:col-span-2">{from === '' ? meaning : from}</span>
    </Link>
  )
}
