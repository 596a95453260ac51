import { resolve } from 'node:path'
import { root } from '../../e2e/product.ts'
import type { BenchOptions } from '../options.ts'
import type { ReportRow } from '../row.ts'
import { peer } from '../subjects/peers.ts'
import { periodSeconds, type Subject } from '../subjects/subject.ts'
import { vedette } from '../subjects/vedette.ts'
import { startTarget, type Target } from '../target/target-process.ts'
import { joined, measureLoad, type LoadReading, type Plan } from './load.ts'
import { detailRows } from './details.ts'
import { baselineName, rowsAlone, rowsBeside, type Measured } from './rows.ts'

const usualLoads = [0, 40, 200]
const usualPlan: Plan = { rounds: 3, roundSeconds: 20, warmSeconds: 45, withPage: true }
/** A round beside a peer holds several requests of each check, and whole periods: peers may run checks in bursts. */
const besidePeer = { loads: [40], roundSeconds: 3 * periodSeconds }

/** The built product with everything it stores: CPU, wake-ups, lateness and memory at rest and under load. */
export async function whole(report: ReportRow, options: BenchOptions): Promise<void> {
  const target = await startTarget()
  const subjects: Subject[] = []
  try {
    for (const make of subjectsOf(options, target)) subjects.push(await make)
    const usual = options.against === undefined ? { loads: usualLoads, ...usualPlan } : { ...usualPlan, ...besidePeer }
    const { loads, ...plan } = { ...usual, ...options }
    const [first, second] = subjects
    if (first === undefined) return
    const [ours, other] = second
      ? await interleaved([first, second], target, loads, plan)
      : [await alone(first, target, loads, plan)]
    if (ours === undefined) return
    for (const row of other === undefined ? rowsAlone(ours) : rowsBeside(ours, other)) report(row)
    for (const each of other === undefined ? [ours] : [ours, other]) for (const row of detailRows(each)) report(row)
  } finally {
    target.stop()
    for (const subject of subjects) await subject.remove()
  }
}

function* subjectsOf({ baseline, against, peerDir }: BenchOptions, target: Target): Generator<Promise<Subject>> {
  yield vedette(baseline === undefined ? 'vedette' : 'this checkout', root, target.port)
  if (baseline !== undefined) yield vedette(baselineName, resolve(baseline), target.port)
  if (against !== undefined) yield peer(against, peerDir, target.port)
}

/** One session goes through all loads. */
async function alone(subject: Subject, target: Target, loads: readonly number[], plan: Plan): Promise<Measured> {
  console.error(`${subject.name}: starting; about ${minutes(loads.length, plan)} minutes`)
  const readings: LoadReading[] = []
  const session = await subject.start()
  try {
    for (const load of loads) readings.push(await measureLoad(session, target, load, plan))
  } finally {
    await session.stop()
  }
  return { name: subject.name, loads: readings }
}

/**
 * Both cannot be warm at once on few cores: they take turns, a whole session each time, at one load after the other. Each
 * round is a session of its own.
 */
async function interleaved(subjects: readonly Subject[], target: Target, loads: readonly number[], plan: Plan) {
  const sessions = loads.length * plan.rounds * subjects.length
  console.error(`${sessions} sessions in turn; about ${minutes(sessions, { ...plan, rounds: 1 })} minutes`)
  const measured = subjects.map((subject): Measured => ({ name: subject.name, loads: [] }))
  for (const load of loads) {
    const readings: LoadReading[][] = subjects.map(() => [])
    for (let round = 1; round <= plan.rounds; round++) {
      for (const [n, subject] of subjects.entries()) {
        console.error(`${subject.name}: session ${round} of ${plan.rounds} at ${load} runs/s`)
        const session = await subject.start()
        try {
          readings[n]?.push(
            await measureLoad(session, target, load, { ...plan, rounds: 1, withPage: round === plan.rounds }),
          )
        } finally {
          await session.stop()
        }
      }
    }
    for (const [n, each] of measured.entries()) each.loads.push(joined(readings[n] ?? []))
  }
  return measured
}

/** Starting, creating checks and the waiting page included. */
const minutes = (series: number, { rounds, roundSeconds, warmSeconds }: Plan): number =>
  Math.ceil((series * (warmSeconds + rounds * (roundSeconds + 2) + 35)) / 60)
