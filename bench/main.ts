import { alert } from './alert.ts'
import { probe } from './probe.ts'
import type { BenchRow, ReportRow } from './row.ts'
import { schedule } from './schedule.ts'
import { whole } from './whole.ts'

// npm run bench -- probe|schedule|whole|alert [--json]
const benches: Record<string, (report: ReportRow) => Promise<void>> = { probe, schedule, whole, alert }

const asJson = process.argv.includes('--json')
const names = process.argv.slice(2).filter((each) => !each.startsWith('--'))
const unknown = names.filter((name) => !(name in benches))
if (names.length === 0 || unknown.length > 0) {
  console.error(
    `${unknown.length > 0 ? `There is no bench "${unknown.join(' ')}". ` : ''}Use: npm run bench -- ${Object.keys(benches).join('|')} [--json]`,
  )
  process.exit(2)
}
let failed = 0
for (const name of names) {
  try {
    await benches[name]?.(asJson ? (row) => console.log(JSON.stringify(row)) : printRow)
  } catch (error) {
    failed++
    console.error(`${name} ended before all its figures were there:`, error)
  }
}
process.exit(failed > 0 ? 1 : 0)

function printRow({ bench, metric, value, unit, against, ratio, goal, met }: BenchRow): void {
  const figure = `${Number(value.toPrecision(4))} ${unit}`
  const compared = ratio === null ? '' : `  ${ratio.toFixed(2)} × ${against ?? ''}`
  const verdict = goal === null ? '' : `  goal ${goal}: ${met ? 'met' : 'NOT MET'}`
  console.log(`${bench.padEnd(9)} ${metric.padEnd(52)} ${figure.padStart(18)}${compared}${verdict}`)
}
