import type { CheckHistory } from '@vedette/wire'
import { durationText, percentText } from '../time/format-time.ts'

/** The range in a few figures. */
export function SummaryFigures({ summary }: { summary: CheckHistory['summary'] }) {
  const { uptime, p50, p95, failed, degraded, unknown, retried, runs } = summary
  const besides = [
    degraded > 0 && `${degraded} degraded`,
    unknown > 0 && `${unknown} not known`,
    retried > 0 && `${retried} retried`,
  ].filter((each) => each !== false)
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-4">
      <Figure label="Uptime" value={uptime === null ? 'not known' : percentText(uptime)} />
      <Figure label="p50" value={p50 === null ? 'none' : durationText(p50)} />
      <Figure label="p95" value={p95 === null ? 'none' : durationText(p95)} />
      <Figure
        label={`Failures of ${runs} ${runs === 1 ? 'run' : 'runs'}`}
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
