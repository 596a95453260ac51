import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { CheckResult } from '@vedette/checks'
import type { AlertNotification } from '@vedette/wire'
import { call, withQuery } from '../api/client.ts'
import { listedFields, type ResultList } from '../api/listed-results.ts'
import { NotificationList } from '../components/alerts/notification-list.tsx'
import { PageTitle } from '../components/basics/page-title.tsx'
import { Panel } from '../components/basics/panel.tsx'
import { ResultStory, stateOfResult } from '../components/results/result-story.tsx'
import { resultLabels, StateIcon } from '../components/checks/state-mark.tsx'
import { durationText } from '../components/basics/format-time.ts'

/** One result, as a link in an alert opens it. */
export function ResultPage() {
  const { checkId, resultId } = useParams({ from: '/shell/checks/$checkId/results/$resultId' })
  const result = useQuery({
    queryKey: ['result', resultId],
    queryFn: () => call<CheckResult>('GET', `/v1/check-results/${checkId}/${resultId}`),
  })
  if (result.isPending) return <p className="text-ink-soft">Reading the result…</p>
  if (result.isError && !result.data)
    return (
      <p role="alert" className="text-fail">
        {result.error.message}
      </p>
    )
  return (
    <>
      <p className="mb-1 text-sm">
        <Link to="/" className="text-accent underline">
          Checks
        </Link>{' '}
        /{' '}
        <Link to="/checks/$checkId" params={{ checkId }} className="text-accent underline">
          {result.data.name}
        </Link>
      </p>
      <h1 className="mb-4 text-2xl font-bold">{result.data.resultType === 'ATTEMPT' ? 'Attempt' : 'Result'}</h1>
      <PageTitle text={`Result of ${result.data.name}`} />
      <div className="flex flex-col gap-4">
        <ResultStory result={result.data} />
        <Attempts result={result.data} />
        <Notifications checkId={checkId} resultId={resultId} />
      </div>
    </>
  )
}

/** The other attempts of the same run. */
function Attempts({ result }: { result: CheckResult }) {
  const attempts = useQuery({
    queryKey: ['results', result.checkId, 'attempts', result.sequenceId],
    queryFn: () =>
      call<ResultList>(
        'GET',
        withQuery(`/v2/check-results/${result.checkId}`, {
          resultType: 'ALL',
          fields: listedFields,
          sequenceId: result.sequenceId ?? undefined,
          limit: 100,
        }),
      ),
  })
  const ofRun = (attempts.data?.entries ?? []).toReversed()
  if (ofRun.length < 2) return null
  return (
    <Panel title="Attempts of this run">
      <ol className="divide-y divide-line">
        {ofRun.map((entry) => (
          <li key={entry.id}>
            <Link
              to="/checks/$checkId/results/$resultId"
              params={{ checkId: entry.checkId, resultId: entry.id }}
              className="flex min-h-11 flex-wrap items-center gap-x-3 py-1 hover:bg-sunken aria-[current=page]:bg-sunken"
              aria-current={entry.id === result.id ? 'page' : undefined}
            >
              <StateIcon state={stateOfResult(entry)} />
              <span>
                Attempt {entry.attempts + 1}: {resultLabels[stateOfResult(entry)].toLowerCase()}
              </span>
              <span className="text-ink-soft">
                {entry.runLocation} · {entry.responseTime === null ? 'no response' : durationText(entry.responseTime)}
              </span>
              <span className="min-w-0 break-words">{entry.cause}</span>
            </Link>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function Notifications({ checkId, resultId }: { checkId: string; resultId: string }) {
  const notifications = useQuery({
    queryKey: ['notifications', 'result', resultId],
    queryFn: () =>
      call<AlertNotification[]>(
        'GET',
        withQuery('/v1/alert-notifications', { checkId, checkResultId: resultId, from: 0, limit: 100 }),
      ),
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
          within="result"
          notifications={notifications.data}
          empty="None: this result changed nothing that a channel is notified of."
        />
      )}
    </Panel>
  )
}
