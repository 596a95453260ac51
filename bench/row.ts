/** One figure of a benchmark. `ratio` compares it with `against`, from the same run; `met`: it meets its goal. */
export interface BenchRow {
  bench: string
  metric: string
  /** The median where it was measured several times. */
  value: number
  unit: string
  /** The least and the greatest of several measurements. */
  spread?: readonly [number, number]
  against: string | null
  ratio: number | null
  goal: string | null
  met: boolean | null
}

/** A figure that nothing is compared with. */
export const figure = (bench: string, metric: string, value: number, unit: string): BenchRow => ({
  bench,
  metric,
  value,
  unit,
  against: null,
  ratio: null,
  goal: null,
  met: null,
})

export type ReportRow = (row: BenchRow) => void

const short = (value: number): string => String(Number(value.toPrecision(4)))

/** A row as a line for people. */
export function lineOf({ bench, metric, value, unit, spread, against, ratio, goal, met }: BenchRow): string {
  const measured = `${short(value)} ${unit}`
  const range = spread === undefined ? '' : `  (${short(spread[0])}–${short(spread[1])})`
  const compared = ratio === null ? '' : `  ${ratio.toFixed(2)} × ${against ?? ''}`
  const verdict = goal === null ? '' : `  goal ${goal}: ${met ? 'met' : 'NOT MET'}`
  return `${bench.padEnd(9)} ${metric.padEnd(66)} ${measured.padStart(14)}${range}${compared}${verdict}`
}
