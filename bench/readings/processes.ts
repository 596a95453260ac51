import { readFileSync, readdirSync } from 'node:fs'

/** Linux counts user and system time in hundredths of a second. */
export const msPerTick = 10

/** A process as it was at one moment: CPU time with all its threads, in milliseconds since its start. */
export interface ProcessReading {
  pid: number
  command: string
  cpuMs: number
}

/** A process and all its descendants. One that ends while it is read is left out. */
export const readProcesses = (pid: number): ProcessReading[] =>
  withDescendants(pid).flatMap((each) => whileAlive(() => readingOf(each)) ?? [])

/** Processes that used CPU between two readings, with what they used. One that ended in between is in neither reading. */
export function cpuBetween(before: readonly ProcessReading[], after: readonly ProcessReading[]): ProcessReading[] {
  const known = new Map(before.map((each) => [each.pid, each.cpuMs]))
  return after.map((each) => ({ ...each, cpuMs: each.cpuMs - (known.get(each.pid) ?? 0) }))
}

function readingOf(pid: number): ProcessReading {
  const fields = statFields(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  return { pid, command: commandOf(pid), cpuMs: (Number(fields[11]) + Number(fields[12])) * msPerTick }
}

/** What follows the name in a `stat` file of /proc. The name may itself hold spaces and parentheses. */
export const statFields = (text: string): string[] => text.slice(text.lastIndexOf(')') + 2).split(' ')

/** Memory of a process in megabytes; undefined once it has ended. Shared pages are divided among their processes. */
export function pssMb(pid: number): number | undefined {
  const text = whileAlive(() => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))
  return text === undefined ? undefined : Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024
}

/** The ids of a process and all its descendants; none when it has ended. */
export function withDescendants(pid: number): number[] {
  const tasks = whileAlive(() => readdirSync(`/proc/${pid}/task`))
  if (tasks === undefined) return []
  const children = tasks.flatMap((task) => {
    const text = whileAlive(() => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')) ?? ''
    return text.split(' ').map(Number)
  })
  return [pid, ...children.filter((child) => child > 0).flatMap(withDescendants)]
}

const commandOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()

const goneCodes = new Set(['ENOENT', 'ESRCH'])

/** What `read` answers; undefined when the process or thread ended before or while it was read. */
export function whileAlive<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && goneCodes.has(String(error.code))) return undefined
    throw error
  }
}
