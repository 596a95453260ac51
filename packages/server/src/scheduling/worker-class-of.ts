import { checkTypeOf } from '@vedette/checks'
import type { WorkerClassOf } from './store.ts'

/** The worker class that the check type itself names. */
export const workerClassOf: WorkerClassOf = (type) => {
  const mode = checkTypeOf(type)?.mode
  return mode?.kind === 'scheduled' ? mode.workerClass : undefined
}
