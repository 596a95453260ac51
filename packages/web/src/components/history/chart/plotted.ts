import type { CheckPhases } from '@vedette/wire'
import uPlot from 'uplot'
import { lineLooks, phaseColours } from './chart-colours.ts'
import { middleOf, type ChartData } from './chart-data.ts'

/** What a chart draws: columns of numbers over one time axis, and how each looks. */
export interface Plotted {
  /** The times in epoch seconds, then a column for each series. */
  columns: uPlot.AlignedData
  series: readonly uPlot.Series[]
}

/** Median and 95th percentile of each location as lines. */
export const plottedLines = ({ times, lines }: ChartData): Plotted => ({
  columns: [times, ...lines.map(({ values }) => values)],
  series: lines.map((line, at) => lineSeries(line, Math.floor(at / 2))),
})

function lineSeries({ figure, location }: ChartData['lines'][number], at: number): uPlot.Series {
  const look = lineLooks[at]
  return {
    label: `${location} ${figure}`,
    stroke: look?.colour ?? 'gray',
    width: figure === 'p50' ? 2 : 1,
    alpha: figure === 'p50' ? 1 : 0.55,
    dash: [...(look?.dash ?? [])],
    spanGaps: false,
    // A run alone between two holes would not be seen as a line.
    points: { show: (plot, series) => (plot.data[series]?.length ?? 0) < 60, size: figure === 'p50' ? 4 : 2 },
  }
}

/** Share of a bucket's width that its bar takes, and its greatest width in pixels: checks that run rarely have few bars. */
const bars = uPlot.paths.bars?.({ size: [0.9, 24] })

/** The phases one upon the other, as bars. The highest come first: each that follows covers the part below its own. */
export function plottedPhases({ phases, buckets, bucketMs, to }: CheckPhases): Plotted {
  const fromTop = phases.map((phase, at) => ({ ...phase, at })).toReversed()
  const upTo = (means: readonly (number | null)[], at: number) =>
    means.slice(0, at + 1).reduce<number>((sum, ms) => sum + (ms ?? 0), 0)
  return {
    columns: [
      buckets.map((bucket) => middleOf(Date.parse(bucket.at), bucketMs, to)),
      ...fromTop.map(({ at }) => buckets.map(({ mean }) => upTo(mean, at))),
    ],
    series: fromTop.map(({ label, at }) => ({
      label,
      width: 0,
      fill: phaseColours[at] ?? 'gray',
      points: { show: false },
      ...(bars && { paths: bars }),
    })),
  }
}
