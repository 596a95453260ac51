import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DirectoryInUse, startOfProcess } from '@vedette/checks/process'

/**
 * An agent of the first version locks its folder by a file `lock` that says `pid start`. One that still finishes its runs
 * during an update goes on writing there. Throws `DirectoryInUse` while it lives.
 */
export async function refuseFirstVersion(folder: string): Promise<void> {
  const [pid = '', started = ''] = (await lockText(folder)).split(' ')
  if (!/^\d{1,10}$/.test(pid) || (await startOfProcess(Number(pid))) !== started) return
  throw new DirectoryInUse(folder, `process ${pid}`)
}

async function lockText(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, 'lock'), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}
