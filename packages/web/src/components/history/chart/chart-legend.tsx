import type { CheckHistory } from '@vedette/wire'
import { durationText } from '../../time/format-time.ts'
import { lineLooks } from './chart-colours.ts'
import type { ChartData } from './chart-data.ts'
import { shownSpan, type Limits } from './chart-options.ts'

/** Which line is which location. */
export function LineLegend({ lines, history }: { lines: ChartData['lines']; history: CheckHistory }) {
  const hidden = history.locations.length - new Set(lines.map(({ location }) => location)).size
  return (
    <>
      {lines
        .filter(({ figure }) => figure === 'p50')
        .map(({ location }, at) => (
          <span key={location} className="flex items-center gap-1.5">
            <svg viewBox="0 0 20 4" className="h-1 w-5">
              <path
                d="M0 2h20"
                stroke={lineLooks[at]?.colour}
                strokeWidth="2"
                strokeDasharray={lineLooks[at]?.dash.join(' ')}
              />
            </svg>
            {location}
          </span>
        ))}
      {hidden > 0 && <span>and {hidden} more in the table</span>}
      <span>line: p50, thin: p95</span>
    </>
  )
}

/** What stands behind the lines and across them. A limit beyond the scale has no line, so none is shown beside it. */
export function BandLegend({ history, limits, inSight }: { history: CheckHistory; limits: Limits; inSight: Limits }) {
  const kinds = new Set(history.spans.map(({ kind }) => kind))
  return (
    <>
      {kinds.has('failing') && <Band look="bg-fail-bar/30" label="failing" />}
      {kinds.has('degraded') && <Band look="bg-degraded-bar/35" label="degraded" />}
      {kinds.has('not-watched') && <Band look="bg-line" label="not watched" />}
      {limits.degraded !== null && (
        <Band
          look={inSight.degraded === null ? 'hidden' : `${limitLook} border-degraded`}
          label={`degraded above ${durationText(limits.degraded)}`}
        />
      )}
      {limits.failing !== null && (
        <Band
          look={inSight.failing === null ? 'hidden' : `${limitLook} border-fail`}
          label={`fails above ${durationText(limits.failing)}`}
        />
      )}
      {history.changes.length > 0 && <Band look="border-l-2 border-accent w-0.5!" label="check changed" />}
      {shownSpan(history).from * 1000 > Date.parse(history.from) && <span>shown since its first run</span>}
    </>
  )
}

const limitLook = 'h-0! w-5! border-t-2 border-dotted'

function Band({ look, label }: { look: string; label: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span className={`h-3 w-3 ${look}`} />
      {label}
    </span>
  )
}
