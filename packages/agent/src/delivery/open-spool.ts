import { DirectoryInUse } from '@vedette/checks/process'
import type { Clock } from '@vedette/wire'
import { sleep } from '../sleep.ts'
import { Spool, type SpoolOptions } from './spool.ts'

const patienceMs = 10_000
const retryMs = 250

/** Opens the spool. Waits for another agent that uses the folder and is about to end. */
export async function openSpool(options: SpoolOptions, clock: Clock): Promise<Spool> {
  const giveUpAt = clock.monotonic() + patienceMs
  for (;;) {
    try {
      return await Spool.open(options)
    } catch (error) {
      if (!(error instanceof DirectoryInUse) || clock.monotonic() >= giveUpAt) throw error
    }
    await sleep(clock, retryMs, new AbortController().signal)
  }
}
