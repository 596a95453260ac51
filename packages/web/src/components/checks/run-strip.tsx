import type { StripRun } from '@vedette/wire'
import { useZone } from '../../app/reader-choices.ts'
import { absoluteTime, durationText } from '../basics/format-time.ts'

const slots = 30

interface Props {
  runs: readonly StripRun[]
  stale?: boolean
  wide?: boolean
}

/**
 * The last runs, oldest left: height is response time, shape and colour are the outcome. Screen readers get one
 * sentence.
 */
export function RunStrip({ runs, stale = false, wide = false }: Props) {
  const utc = useZone() === 'utc'
  const slowest = Math.max(1, ...runs.map((run) => run.ms ?? 0))
  const empty = Math.max(0, slots - runs.length)
  return (
    <span
      role="img"
      aria-label={stripSentence(runs)}
      className={`flex items-end ${wide ? 'h-16 gap-0.5 md:gap-1' : 'h-7 w-[180px] gap-px'} ${stale ? 'opacity-50 grayscale' : ''}`}
    >
      {Array.from({ length: empty }, (_, index) => (
        <span key={index} className="h-0.5 flex-1 rounded-sm bg-line" />
      ))}
      {runs.map((run) => (
        <span
          key={run.id}
          title={`${absoluteTime(Date.parse(run.at), utc)}: ${outcomeLabel(run)}, ${run.ms === null ? 'no response' : durationText(run.ms)}${run.location === null ? '' : `, ${run.location}`}`}
          className={`flex-1 rounded-sm ${barLook(run)}`}
          style={{ height: `${barHeight(run, slowest)}%` }}
        >
          {run.outcome === 'fail' && <span className="mx-auto mt-[20%] block h-0.5 w-3/5 bg-surface" />}
        </span>
      ))}
    </span>
  )
}

/** Failed runs are highest and degraded ones next, whatever time they took, so that they are visible without colour. */
function barHeight(run: StripRun, slowest: number): number {
  if (run.outcome !== 'pass') return 100
  return run.degraded ? 80 : 15 + 60 * ((run.ms ?? 0) / slowest)
}

function barLook(run: StripRun): string {
  if (run.outcome === 'fail') return 'bg-fail'
  if (run.outcome === 'unknown') return 'border border-unknown border-dashed'
  return run.degraded ? 'rounded-t-full bg-degraded' : 'bg-pass'
}

const outcomeLabel = (run: StripRun) =>
  run.outcome === 'pass' ? (run.degraded ? 'degraded' : 'passed') : run.outcome === 'fail' ? 'failed' : 'not known'

function stripSentence(runs: readonly StripRun[]): string {
  if (runs.length === 0) return 'No runs yet'
  const count = (label: string) => runs.filter((run) => outcomeLabel(run) === label).length
  const parts = ['failed', 'degraded', 'not known', 'passed']
    .filter((label) => count(label) > 0)
    .map((label) => `${count(label)} ${label}`)
  return `Last ${runs.length} runs: ${parts.join(', ')}`
}
