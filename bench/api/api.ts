import type { BenchOptions } from '../options.ts'
import type { ReportRow } from '../row.ts'
import { startTarget } from '../target/target-process.ts'
import { cpuOfRequests } from './cpu.ts'
import { timesOfEmbedded } from './embedded.ts'

/** What the management API costs: CPU of a request beside a bare server, and answers while results come in. */
export async function api(report: ReportRow, { rounds = 3 }: BenchOptions): Promise<void> {
  for (const row of await cpuOfRequests(rounds)) report(row)
  const target = await startTarget()
  try {
    for (const row of await timesOfEmbedded(target, rounds)) report(row)
  } finally {
    target.stop()
  }
}
