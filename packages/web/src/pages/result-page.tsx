import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { CheckResult } from '@vedette/checks'
import type { AlertNotification } from '@vedette/wire'
import { call, isNowhere, withQuery } from '../api/client.ts'
import { NotificationList } from '../components/alerts/notification-list.tsx'
import { PagePlaceOf } from '../app/page-place.ts'
import { Fault, Panel } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Attempts } from '../components/results/attempts.tsx'
import { Comparison, isBad } from '../components/results/comparison.tsx'
import { NetworkPath } from '../components/results/network-path.tsx'
import { Neighbours } from '../components/results/neighbours.tsx'
import { ResultMenu } from '../components/results/result-menu.tsx'
import { ResultStory } from '../components/results/result-story.tsx'
import { NotFoundPage } from './not-found-page.tsx'

/** One result, as a link in an alert opens it. */
export function ResultPage() {
  const { checkId, resultId } = useParams({ from: '/shell/checks/$checkId/results/$resultId' })
  const result = useQuery({
    queryKey: ['result', resultId],
    queryFn: () => call<CheckResult>('GET', `/v1/check-results/${checkId}/${resultId}`),
  })
  if (result.isPending) return <Skeleton label="Reading the result" lines={8} />
  if (isNowhere(result.error)) return <NotFoundPage what="result" />
  if (result.isError && !result.data) return <Fault text={result.error.message} onRetry={() => void result.refetch()} />
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h1 className="min-w-0 text-xl font-semibold tracking-tight break-words">
          {result.data.resultType === 'ATTEMPT' ? 'Attempt' : 'Result'} of{' '}
          <Link
            to="/checks/$checkId"
            params={{ checkId }}
            className="underline decoration-line-strong underline-offset-4 hover:text-accent max-md:inline-block max-md:py-2.5"
          >
            {result.data.name}
          </Link>
        </h1>
        <span className="flex flex-wrap items-center gap-1">
          <ResultMenu result={result.data} />
          <Neighbours result={result.data} />
        </span>
      </div>
      <PagePlaceOf
        title={`Result of ${result.data.name}`}
        crumbs={[
          { label: 'Checks', to: '/' },
          { label: result.data.name, to: `/checks/${checkId}` },
          { label: result.data.resultType === 'ATTEMPT' ? 'Attempt' : 'Result' },
        ]}
      />
      <div className="flex flex-col gap-4">
        <ResultStory result={result.data}>
          <Attempts result={result.data} />
          <NetworkPath result={result.data} />
          {isBad(result.data) && <Comparison result={result.data} />}
        </ResultStory>
        {!isBad(result.data) && <Comparison result={result.data} />}
        <Notifications checkId={checkId} resultId={resultId} />
      </div>
    </>
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
          empty="None: this result was no reason to notify anybody."
        />
      )}
    </Panel>
  )
}
