import type { StripRun } from '../api/types.ts'
import { durationText } from './time-text.tsx'

const slots = 30

/** The last runs, oldest left: height is response time, shape and colour the outcome. One sentence says it to those who cannot see it. */
export function RunStrip({
  runs,
  stale = false,
  wide = false,
}: {
  runs: readonly StripRun[]
  stale?: boolean
  wide?: boolean
}) {
  const slowest = Math.max(1, ...runs.map((run) => run.ms ?? 0))
  const empty = slots - runs.length
  return (
    <svg
      role="img"
      aria-label={stripSentence(runs)}
      viewBox={`0 0 ${slots * 6} 28`}
      preserveAspectRatio="none"
      className={`${wide ? 'h-14 w-full' : 'h-7 w-full md:w-[180px]'} ${stale ? 'opacity-50 grayscale' : ''}`}
    >
      {runs.map((run, index) => (
        <Bar key={run.id} run={run} x={(empty + index) * 6} slowest={slowest} />
      ))}
    </svg>
  )
}

function Bar({ run, x, slowest }: { run: StripRun; x: number; slowest: number }) {
  const height = run.outcome === 'pass' ? 5 + 15 * ((run.ms ?? 0) / slowest) : 26
  const fill =
    run.outcome === 'fail'
      ? 'var(--fail)'
      : run.outcome === 'unknown'
        ? 'var(--unknown)'
        : run.degraded
          ? 'var(--degraded)'
          : 'var(--pass)'
  return (
    <g>
      <title>{`${new Date(run.at).toLocaleString()}: ${outcomeWord(run)}, ${run.ms === null ? 'no response' : durationText(run.ms)}, ${run.location}`}</title>
      <rect
        x={x + 0.5}
        y={27 - height}
        width="4.5"
        height={height}
        rx="1"
        fill={run.outcome === 'unknown' ? 'none' : fill}
        stroke={fill}
      />
      {run.outcome === 'fail' && (
        <path d={`M${x + 1} ${29 - height}h3.5`} stroke="var(--surface)" strokeWidth="1.4" transform="translate(0 4)" />
      )}
    </g>
  )
}

const outcomeWord = (run: StripRun) =>
  run.outcome === 'pass' ? (run.degraded ? 'degraded' : 'passed') : run.outcome === 'fail' ? 'failed' : 'not known'

function stripSentence(runs: readonly StripRun[]): string {
  if (runs.length === 0) return 'No runs yet'
  const count = (word: string) => runs.filter((run) => outcomeWord(run) === word).length
  const parts = ['failed', 'degraded', 'not known', 'passed']
    .filter((word) => count(word) > 0)
    .map((word) => `${count(word)} ${word}`)
  return `Last ${runs.length} runs: ${parts.join(', ')}`
}
