import { readFileSync } from 'node:fs'
import { msPerTick } from './processes.ts'

/** CPU that all programs of this machine have used since it started, in milliseconds, with what its host took away. */
export const machineCpuMs = (): number => busyMs(readFileSync('/proc/stat', 'utf8'))

/** The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal; guests are part of user. */
export function busyMs(stat: string): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] =
    /^cpu +(.*)$/m.exec(stat)?.[1]?.split(' ').map(Number) ?? []
  return (user + nice + system + irq + softirq + steal) * msPerTick
}
