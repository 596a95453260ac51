import { agent } from './agent/agent.ts'
import { alert } from './alert.ts'
import { api } from './api/api.ts'
import { capacity } from './capacity/capacity.ts'
import { readOrder, UsageError, type BenchOptions, type BenchOrder, type OptionName } from './options.ts'
import { pings } from './pings/pings.ts'
import { probe } from './probe.ts'
import { lineOf, type ReportRow } from './row.ts'
import { schedule } from './schedule.ts'
import { web } from './web/web.ts'
import { whole } from './whole/whole.ts'

interface Bench {
  run: (report: ReportRow, options: BenchOptions) => Promise<void>
  takes: readonly OptionName[]
}

const benches: Record<string, Bench> = {
  probe: { run: (report) => probe(report), takes: [] },
  agent: { run: agent, takes: ['rounds'] },
  schedule: { run: (report) => schedule(report), takes: [] },
  whole: {
    run: whole,
    takes: ['load', 'rounds', 'round-seconds', 'warm-seconds', 'baseline', 'against', 'peer-dir'],
  },
  alert: { run: (report) => alert(report), takes: [] },
  api: { run: api, takes: ['rounds'] },
  pings: { run: pings, takes: ['rounds'] },
  web: { run: web, takes: ['minutes'] },
  capacity: { run: capacity, takes: ['from', 'to', 'minutes', 'round-seconds', 'warm-seconds'] },
}

const { names, json, options } = order()
let failed = 0
for (const name of names) {
  try {
    await benches[name]?.run((row) => console.log(json ? JSON.stringify(row) : lineOf(row)), options)
  } catch (error) {
    failed++
    if (error instanceof UsageError) console.error(`${name}: ${error.message}`)
    else console.error(`${name} ended before all its figures were there:`, error)
  }
}
process.exit(failed > 0 ? 1 : 0)

function order(): BenchOrder {
  try {
    const taken = Object.entries(benches).map(([name, { takes }]) => [name, takes] as const)
    return readOrder(process.argv.slice(2), Object.fromEntries(taken))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(error.message)
    process.exit(2)
  }
}
