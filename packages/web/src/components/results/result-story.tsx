import type { CheckState } from '@vedette/wire'
import type { CheckResult } from '@vedette/checks'
import { AssertionTable } from './assertion-table.tsx'
import { BodyText, HeaderTable } from './message-view.tsx'
import { Panel } from '../basics/panel.tsx'
import { PhaseWaterfall } from './phase-waterfall.tsx'
import { resultWords, StateBadge } from '../checks/state-mark.tsx'
import { Moment, TimeAgo } from '../basics/time-text.tsx'
import { durationText } from '../basics/time-words.ts'

type ProbeResult = NonNullable<CheckResult['apiCheckResult']>

/** A result's outcome in the words of check states. */
export function stateOfResult(result: Pick<CheckResult, 'outcome' | 'isDegraded'>): CheckState {
  if (result.outcome === 'fail') return 'failing'
  if (result.outcome === 'unknown') return 'unknown'
  return result.isDegraded ? 'degraded' : 'passing'
}

/** A result from top to bottom: what we did, what came back, what we expected, what differs. */
export function ResultStory({ result }: { result: CheckResult }) {
  const probe = result.apiCheckResult
  return (
    <div className="flex flex-col gap-4">
      <ResultHead result={result} />
      {probe && <ProbeStory probe={probe} />}
    </div>
  )
}

function ResultHead({ result }: { result: CheckResult }) {
  const started = result.startedAt ?? result.dueAt
  return (
    <section aria-label="Outcome" className="rounded-xl border border-line bg-surface p-4 md:p-5">
      <p className="flex flex-wrap items-center gap-3">
        <StateBadge state={stateOfResult(result)} word={resultWords[stateOfResult(result)]} />
        <span className="font-semibold">
          {result.responseTime === null ? 'No response measured' : durationText(result.responseTime)}
        </span>
        <span className="text-ink-soft">
          {result.runLocation}
          {result.emulatedLocation && ' (run by the built-in agent)'} · <TimeAgo at={started} />
        </span>
      </p>
      <p className="mt-2 text-lg break-words">
        {result.cause ?? result.internalError?.text ?? 'Everything was as expected.'}
      </p>
      {result.outcome === 'unknown' && (
        <p className="mt-1 text-ink-soft">
          The trouble was on our side: this run says nothing about the target and alerts nobody.
        </p>
      )}
      <p className="mt-2 text-sm text-ink-soft">
        <Moment at={started} />
        {result.attempts > 0 && ` · after ${result.attempts} ${result.attempts === 1 ? 'retry' : 'retries'}`}
        {result.late && ' · arrived late'}
      </p>
    </section>
  )
}

function ProbeStory({ probe }: { probe: ProbeResult }) {
  const { response } = probe
  return (
    <>
      <Panel title="Expected and actual">
        <AssertionTable assertions={probe.assertions} />
      </Panel>
      {response && (
        <Panel title="Where the time went">
          <PhaseWaterfall phases={response.timingPhases} />
        </Panel>
      )}
      <Panel title="Request">
        <RequestView request={probe.request} />
      </Panel>
      <Panel title="Response">
        {response ? (
          <ResponseView response={response} />
        ) : (
          <p className="text-fail">{probe.requestError ?? 'Nothing came back.'}</p>
        )}
      </Panel>
    </>
  )
}

function RequestView({ request }: { request: ProbeResult['request'] }) {
  if (!request) return <p className="text-ink-soft">Nothing was sent.</p>
  return (
    <>
      <p className="mb-2 font-mono break-all">{requestLine(request)}</p>
      {'headers' in request && <HeaderTable headers={request.headers} />}
      {request.data && <BodyText text={request.data} truncated={false} nothing="" />}
    </>
  )
}

const requestLine = (request: NonNullable<ProbeResult['request']>): string =>
  'url' in request ? `${request.method} ${request.url}` : `${request.hostname}:${request.port} over ${request.ipFamily}`

function ResponseView({ response }: { response: NonNullable<ProbeResult['response']> }) {
  return (
    <>
      <p className="mb-2">
        {'status' in response && (
          <span className="font-mono font-semibold">
            {response.status} {response.statusText}
          </span>
        )}{' '}
        <span className="text-ink-soft">{response.remoteAddress && `from ${response.remoteAddress}`}</span>
      </p>
      <BodyText
        text={'body' in response ? response.body : response.data}
        truncated={response.truncated}
        nothing={'body' in response ? 'Empty body.' : 'Connected; no data was received.'}
      />
      {'headers' in response && (
        <details className="mt-3">
          <summary className="min-h-11 cursor-pointer py-2.5 font-semibold">Response headers</summary>
          <HeaderTable headers={response.headers} />
        </details>
      )}
    </>
  )
}
