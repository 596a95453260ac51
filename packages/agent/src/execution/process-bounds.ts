import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import type { ProcessBounds } from './network-slots.ts'

/** What this process may use: its limit of open files (Linux), and the memory of the machine or of its container. */
export function processBounds(): ProcessBounds {
  const container = process.constrainedMemory()
  return {
    descriptors: process.platform === 'linux' ? openFilesIn(readFileSync('/proc/self/limits', 'utf8')) : null,
    memory: container > 0 ? Math.min(totalmem(), container) : totalmem(),
  }
}

/** The limit in force in the text of `/proc/<pid>/limits`; null when there is none. */
export function openFilesIn(limits: string): number | null {
  const inForce = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1]
  return inForce === undefined || inForce === 'unlimited' ? null : Number(inForce)
}
