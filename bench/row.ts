/** One figure of a benchmark. `ratio` compares it with `against`, from the same run; `met`: it meets its goal. */
export interface BenchRow {
  bench: string
  metric: string
  value: number
  unit: string
  against: string | null
  ratio: number | null
  goal: string | null
  met: boolean | null
}

export type ReportRow = (row: BenchRow) => void
