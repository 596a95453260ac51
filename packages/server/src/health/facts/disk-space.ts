import { statfs } from 'node:fs/promises'

/** In bytes. */
export interface DiskSpace {
  free: number
  size: number
}

/** Space of the file system that holds the folder. */
export async function diskSpaceOf(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, size: blocks * bsize }
}
