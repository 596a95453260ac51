import { execFile } from 'node:child_process'
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { promisify } from 'node:util'

/** Identifies a process, also after its pid was given to another one. */
export interface ProcessIdentity {
  pid: number
  /** When it started, in the unit of the system. It is only compared. */
  started: string
  host: string
  /** Changes with every boot of the machine; empty where the system does not tell. */
  boot: string
  /** The pid namespace: pids of another one (another container) cannot be looked up. */
  pids: string
}

async function textOr(fallback: string, read: Promise<string>): Promise<string> {
  try {
    return (await read).trim()
  } catch (error) {
    if (error instanceof Error) return fallback
    throw error
  }
}

const startField = 22

async function startOnLinux(pid: number): Promise<string | undefined> {
  const stat = await textOr('', readFile(`/proc/${pid}/stat`, 'utf8'))
  if (stat === '') return undefined
  // The second field is the program's name in parentheses, which may hold spaces: count from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state] = fields
  if (state === 'Z' || state === 'X') return undefined
  return fields[startField - 3]
}

async function startElsewhere(pid: number): Promise<string | undefined> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.trim() || undefined
}

/** When the process of that pid started, undefined when there is none (or only its remains). */
export const startOfProcess = (pid: number): Promise<string | undefined> =>
  process.platform === 'linux' ? startOnLinux(pid) : startElsewhere(pid)

export async function ownIdentity(): Promise<ProcessIdentity> {
  const [started, boot, pids] = await Promise.all([
    startOfProcess(process.pid),
    textOr('', readFile('/proc/sys/kernel/random/boot_id', 'utf8')),
    textOr('', readlink('/proc/self/ns/pid')),
  ])
  return { pid: process.pid, started: started ?? '', host: hostname(), boot, pids }
}
