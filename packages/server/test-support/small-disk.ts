import { execFile } from 'node:child_process'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A disk of its own that a test can fill. */
export interface SmallDisk {
  path: string
  fill(): Promise<void>
  makeRoom(): Promise<void>
  remove(): Promise<void>
}

/** Undefined where this user may not mount anything. */
export async function mountSmallDisk(size: string): Promise<SmallDisk | undefined> {
  const path = await mkdtemp(join(tmpdir(), 'vedette-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', path])
  } catch (error) {
    await rm(path, { recursive: true })
    console.log(`No disk can be mounted here, so none is really full: ${String((error as Error).message).trim()}`)
    return undefined
  }
  const ballast = join(path, 'ballast')
  return {
    path,
    fill: () => fillUp(ballast),
    makeRoom: () => rm(ballast, { force: true }),
    async remove() {
      await run('umount', ['-l', path])
      await rm(path, { recursive: true })
    },
  }
}

async function fillUp(file: string): Promise<void> {
  const some = Buffer.alloc(65_536)
  try {
    for (;;) await appendFile(file, some)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
