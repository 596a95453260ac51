import { readlinkSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'

const fullFolders = new Set<string>()
let watching: Promise<void> | undefined

/** From now on half of what is written below the folder arrives, followed by ENOSPC. Needs /proc. */
export async function fillDisk(folder: string): Promise<void> {
  await (watching ??= watchWrites())
  fullFolders.add(folder)
}

export function freeDisk(folder: string): void {
  fullFolders.delete(folder)
}

type Write = (this: FileHandle, data: string | Buffer, ...more: unknown[]) => Promise<unknown>

/** All file handles of the process share one prototype, which no module exports. */
async function watchWrites(): Promise<void> {
  const handle = await open('/dev/null', 'w')
  const writes = Object.getPrototypeOf(handle) as Record<string, Write>
  await handle.close()
  for (const name of ['write', 'writeFile', 'appendFile']) {
    const write = writes[name]
    if (write === undefined) continue
    writes[name] = async function (data, ...more) {
      if (!isFull(this)) return write.call(this, data, ...more)
      await write.call(this, Buffer.from(data).subarray(0, Math.floor(Buffer.byteLength(data) / 2)))
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 })
    }
  }
}

const isFull = ({ fd }: FileHandle): boolean => {
  if (fullFolders.size === 0) return false
  const path = readlinkSync(`/proc/self/fd/${fd}`)
  return [...fullFolders].some((folder) => path.startsWith(folder))
}
