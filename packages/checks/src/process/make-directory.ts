import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/**
 * Makes a directory for its owner alone, and those above it. One that is there stays as it is. They are made one by one:
 * where a file system lets nobody make any, as /proc does, a recursive `mkdir` may never end.
 */
export async function makeDirectory(path: string): Promise<void> {
  try {
    await makeOne(path)
  } catch (error) {
    const above = dirname(resolve(path))
    if (codeOf(error) !== 'ENOENT' || above === resolve(path)) throw error
    await makeDirectory(above)
    await makeOne(path)
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error
  }
}
