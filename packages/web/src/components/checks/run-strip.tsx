import type { StripRun } from '@vedette/wire'
import { memo } from 'react'
import { stripSentence, stripShape } from './strip-shape.ts'

interface Props {
  runs: readonly StripRun[]
  periodMs: number | null
  isStale?: boolean
  width?: number
  height?: number
}

const fills = { pass: 'fill-pass-bar', degraded: 'fill-degraded-bar', fail: 'fill-fail-bar' } as const

/** The last runs to scale: when they were due, how long they took, how they ended, which needed a retry. */
export const RunStrip = memo(function RunStrip({ runs, periodMs, isStale = false, width = 132, height = 20 }: Props) {
  const { bars, retries, gaps } = stripShape(runs, periodMs, { width, height })
  return (
    <svg
      role="img"
      aria-label={stripSentence(runs)}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={`h-5 w-full ${isStale ? 'opacity-50 grayscale' : ''}`}
    >
      <path d={`M0 ${height - 3}h${width}`} className="stroke-line" strokeWidth="1" />
      {gaps.map(({ x, width: wide }) => (
        <rect
          key={x}
          x={x}
          width={wide}
          y={height - 7}
          height="4"
          className="fill-sunken stroke-line"
          strokeDasharray="2 2"
        />
      ))}
      {(['pass', 'degraded', 'fail'] as const).map((look) => (
        <path key={look} d={bars[look] ?? ''} className={fills[look]} />
      ))}
      <path d={bars.unknown ?? ''} className="fill-unknown-wash stroke-unknown" strokeWidth="0.8" />
      <path d={retries} className="fill-degraded-bar" />
    </svg>
  )
})
