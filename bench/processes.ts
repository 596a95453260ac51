import { readFileSync, readdirSync } from 'node:fs'

/** Linux counts user and system time in hundredths of a second. */
const msPerTick = 10

/** CPU time of a process with all its threads, in milliseconds. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * msPerTick
}

/** Memory of a process in megabytes. Shared pages are divided among the processes that share them. */
export function pssMb(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024
}

/** The ids of a process and all its descendants. */
export function withDescendants(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter((text) => text !== '')
      .map(Number),
  )
  return [pid, ...children.flatMap(withDescendants)]
}

export function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The value at a share of the sorted values (nearest rank). */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
