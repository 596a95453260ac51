import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { isFinalStatus, type CheckSessionResult, type CheckSessionWithResults, type CheckState } from '@vedette/wire'
import { Ban } from 'lucide-react'
import { call, isNowhere } from '../api/client.ts'
import { sessionQuery } from '../api/sessions.ts'
import { PagePlaceOf } from '../app/page-place.ts'
import { resultLabels, StateIcon } from '../components/checks/state-mark.tsx'
import { runsOfSession, type RunOfSession } from '../components/sessions/runs-of-session.ts'
import { SessionBadge, sourceText } from '../components/sessions/session-badge.tsx'
import { durationText } from '../components/time/format-time.ts'
import { ClockTime, useNow } from '../components/time/time-text.tsx'
import { Button } from '../ui/button.tsx'
import { Fault, Panel } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { NotFoundPage } from './not-found-page.tsx'

/** One run that was asked for, as it goes on. */
export function SessionPage() {
  const { sessionId } = useParams({ from: '/shell/sessions/$sessionId' })
  const session = useQuery(sessionQuery(sessionId))
  if (session.isPending) return <Skeleton label="Reading the session" lines={5} />
  if (isNowhere(session.error)) return <NotFoundPage what="session" />
  if (!session.data) return <Fault text={session.error.message} onRetry={() => void session.refetch()} />
  const { checkId, name, status, startedAt, runSource } = session.data
  return (
    <>
      <PagePlaceOf
        title={`Session of ${name}`}
        crumbs={[
          { label: 'Sessions', to: '/sessions' },
          { label: name, to: `/checks/${checkId}` },
          { label: 'Session' },
        ]}
      />
      <div className="mb-3 flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h1 className="text-xl font-semibold tracking-tight break-words">
            Session of{' '}
            <Link
              to="/checks/$checkId"
              params={{ checkId }}
              className="underline decoration-line-strong underline-offset-4 hover:text-accent max-md:inline-block max-md:py-2.5"
            >
              {name}
            </Link>
          </h1>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-soft">
            <span role="status">
              <SessionBadge status={status} />
            </span>
            <span>
              Started {sourceText(runSource)} at <ClockTime at={startedAt} hasSeconds />
            </span>
            <Elapsed session={session.data} />
          </p>
        </div>
        {!isFinalStatus(status) && <Cancel sessionId={sessionId} />}
      </div>
      {session.isError && <Fault text={session.error.message} onRetry={() => void session.refetch()} />}
      <Panel title={session.data.runLocations.length === 1 ? 'Location' : 'Locations'} isFlush>
        <ul aria-label="Runs" className="divide-y divide-line">
          {runsOfSession(session.data).map((run) => (
            <RunRow key={run.location} run={run} session={session.data} />
          ))}
        </ul>
      </Panel>
    </>
  )
}

/** How long it takes, or took. */
function Elapsed({ session: { startedAt, status, timeElapsed } }: { session: CheckSessionWithResults }) {
  const now = useNow(1000)
  const isOver = isFinalStatus(status)
  const ms = isOver ? timeElapsed : Math.max(0, now - Date.parse(startedAt))
  return <span>{isOver ? `took ${durationText(ms)}` : `for ${Math.round(ms / 1000)} s`}</span>
}

function Cancel({ sessionId }: { sessionId: string }) {
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => call('POST', `/v2/check-sessions/${sessionId}/cancel`, {}),
    onSuccess: () => toast('Cancelled: what waits is taken back, and what runs does not count.'),
    onError: (error) => toast(error.message, 'fault'),
    onSettled: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  })
  return (
    <Button
      icon={<Ban aria-hidden="true" className="size-4" />}
      isBusy={cancel.isPending}
      onClick={() => cancel.mutate()}
    >
      Cancel
    </Button>
  )
}

function RunRow({ run: { location, results }, session }: { run: RunOfSession; session: CheckSessionWithResults }) {
  const last = results.at(-1)
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-2 md:grid-cols-[12rem_minmax(0,1fr)]">
      <span className="font-medium break-words">{location}</span>
      <ul aria-label={`Results at ${location}`} className="flex flex-col gap-1">
        {results.map((result) => (
          <li key={result.checkResultId}>
            <ResultLine result={result} location={location} />
          </li>
        ))}
        {last?.resultType !== 'FINAL' && <li className="text-ink-soft">{awaitedText(session, last !== undefined)}</li>}
      </ul>
    </li>
  )
}

function awaitedText({ status }: CheckSessionWithResults, isRetried: boolean): string {
  if (status === 'CANCELLED') return 'Cancelled before there was a result.'
  if (isFinalStatus(status)) return 'No result came in time.'
  return isRetried ? 'Failed, and is tried again.' : 'Waiting for the result.'
}

function ResultLine({ result, location }: { result: CheckSessionResult; location: string }) {
  const { checkId, checkResultId: resultId, resultType, runLocation, responseTime } = result
  const state = stateOf(result)
  return (
    <Link
      to="/checks/$checkId/results/$resultId"
      params={{ checkId, resultId }}
      className="inline-flex min-h-6 flex-wrap items-center gap-x-2 hover:underline max-md:min-h-11"
    >
      <StateIcon state={state} />
      {result.isCancelled ? 'Cancelled' : resultLabels[state]}
      {resultType === 'ATTEMPT' && <span className="text-ink-soft">attempt</span>}
      {responseTime !== null && <span className="text-ink-soft">{durationText(responseTime)}</span>}
      {runLocation !== location && <span className="text-ink-soft">at {runLocation}</span>}
    </Link>
  )
}

function stateOf({ isCancelled, hasErrors, hasFailures, isDegraded }: CheckSessionResult): CheckState {
  if (isCancelled) return 'paused'
  if (hasErrors) return 'unknown'
  if (hasFailures) return 'failing'
  return isDegraded ? 'degraded' : 'passing'
}
