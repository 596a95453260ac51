import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Another living process uses the folder. */
export class FolderInUse extends Error {}

/** Takes a folder for this process; the answer gives it back. What a dead process left behind is taken over. */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'lock')
  const mine = `${process.pid} ${startedAt(process.pid)}`
  if (!tryCreate(file, mine)) {
    const theirs = readFileSync(file, 'utf8')
    if (isAlive(theirs)) {
      throw new FolderInUse(`${folder} is used by the process ${theirs.split(' ')[0]}: give every agent its own folder`)
    }
    setAside(file, theirs, folder)
    if (!tryCreate(file, mine)) throw new FolderInUse(`${folder} was just taken by another process`)
  }
  return () => rmSync(file, { force: true })
}

function tryCreate(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Moves a dead process's lock away, unless somebody replaced it in the meantime. */
function setAside(file: string, expected: string, folder: string): void {
  const aside = `${file}.${process.pid}`
  renameSync(file, aside)
  if (readFileSync(aside, 'utf8') !== expected) {
    renameSync(aside, file)
    throw new FolderInUse(`${folder} was just taken by another process`)
  }
  rmSync(aside)
}

function isAlive(lock: string): boolean {
  const [pid = '', started = ''] = lock.split(' ')
  if (!/^\d+$/.test(pid)) return false
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    if (!hasCode(error, 'EPERM')) return false
  }
  // Process ids are used again, always so in containers: the same id with another start is another process.
  return startedAt(Number(pid)) === started
}

function startedAt(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 'unknown'
  } catch {
    return 'unknown'
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
