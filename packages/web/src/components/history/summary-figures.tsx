import type { CheckHistory } from '@vedette/wire'
import { durationText, percentText } from '../time/format-time.ts'

interface Props {
  summary: CheckHistory['summary']
  /** Whether its results have response times. */
  isTimed: boolean
}

/** The range in a few figures. */
export function SummaryFigures({ summary, isTimed }: Props) {
  const { uptime, p50, p95, failed, degraded, unknown, retried, runs } = summary
  const besides = [
    degraded > 0 && `${degraded} degraded`,
    unknown > 0 && `${unknown} not known`,
    retried > 0 && `${retried} retried`,
  ].filter((each) => each !== false)
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-4">
      <Figure label="Uptime" value={uptime === null ? 'not known' : percentText(uptime)} />
      {isTimed && <Figure label="p50" value={p50 === null ? 'none' : durationText(p50)} />}
      {isTimed && <Figure label="p95" value={p95 === null ? 'none' : durationText(p95)} />}
      <Figure
        label={
          isTimed
            ? `Failures of ${runs} ${runs === 1 ? 'run' : 'runs'}`
            : `Failures of ${runs} ${runs === 1 ? 'result' : 'results'}`
        }
        value={String(failed)}
        more={besides.join(', ')}
      />
    </dl>
  )
}

function Figure({ label, value, more = '' }: { label: string; value: string; more?: string }) {
  return (
    <div>
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd className="text-xl font-semibold tracking-tight">
        {value}
        {more !== '' && <span className="ml-2 text-sm font-normal tracking-normal text-ink-soft">{more}</span>}
      </dd>
    </div>
  )
}
