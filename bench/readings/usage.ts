import { machineCpuMs } from './machine.ts'
import { cpuBetween, readProcesses, type ProcessReading } from './processes.ts'
import { sum } from './statistics.ts'

/** CPU in milliseconds that was used in a span of time. */
export interface Usage {
  seconds: number
  /** Processes of the subject. */
  processes: ProcessReading[]
  subjectMs: number
  targetMs: number
  /** This process. */
  benchMs: number
  /** Other programs of the machine: a quiet one has little of it. */
  othersMs: number
}

/** Begins a span; the function that is returned tells what was used since. */
export function startUsage(subjectPid: number, targetPid: number): () => Usage {
  const look = () => ({
    at: performance.now(),
    machine: machineCpuMs(),
    bench: process.cpuUsage(),
    subject: readProcesses(subjectPid),
    target: readProcesses(targetPid),
  })
  const before = look()
  return () => {
    const after = look()
    const processes = cpuBetween(before.subject, after.subject)
    const subjectMs = cpuOf(processes)
    const targetMs = cpuOf(cpuBetween(before.target, after.target))
    const benchMs = (after.bench.user + after.bench.system - before.bench.user - before.bench.system) / 1000
    const othersMs = Math.max(0, after.machine - before.machine - subjectMs - targetMs - benchMs)
    return { seconds: (after.at - before.at) / 1000, processes, subjectMs, targetMs, benchMs, othersMs }
  }
}

const cpuOf = (processes: readonly ProcessReading[]): number => sum(processes.map(({ cpuMs }) => cpuMs))

/** Above this share of a core, what else the machine does is worth a warning beside figures. */
const quietShare = 0.1

/** Warns where other programs used the machine. */
export function warnUnlessQuiet({ othersMs, seconds }: Usage): void {
  const share = othersMs / 1000 / seconds
  if (share > quietShare)
    console.error(
      `  other programs used ${share.toFixed(2)} cores meanwhile: the figures are worse than this machine's`,
    )
}
