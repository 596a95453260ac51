import { checkTypeOf } from '@vedette/checks'
import type { WorkerClass } from '@vedette/wire'

/** The worker class of a check type; undefined for types that are not scheduled or not built. */
export function workerClassOf(type: string): WorkerClass | undefined {
  const mode = checkTypeOf(type)?.mode
  return mode?.kind === 'scheduled' ? mode.workerClass : undefined
}
