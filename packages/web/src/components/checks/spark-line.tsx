import type { StripRun } from '@vedette/wire'
import { memo } from 'react'

const [width, height] = [56, 18]

/** How the response time went over the last runs. The number beside it says the last one. */
export const SparkLine = memo(function SparkLine({ runs }: { runs: readonly StripRun[] }) {
  const times = runs.flatMap(({ ms }) => (ms === null ? [] : [ms]))
  if (times.length < 2) return <span aria-hidden="true" className="h-[18px] w-14" />
  const [low, high] = [Math.min(...times), Math.max(...times)]
  const span = Math.max(high - low, high * 0.1, 0.001)
  const points = times.map((ms, at) => {
    const x = (at / (times.length - 1)) * width
    const y = height - 2 - ((ms - low) / span) * (height - 4)
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${width} ${height}`} className="h-[18px] w-14">
      <polyline
        points={points.join(' ')}
        fill="none"
        className="stroke-ink-soft"
        strokeWidth="1.2"
        strokeLinejoin="round"
      />
    </svg>
  )
})
