import { checkTypeOf, runModeOf } from '@vedette/checks'
import type { WorkerClass } from '@vedette/wire'

/** The worker class of a check type; undefined for types that no agent runs: passive, without a runner, or unknown. */
export const workerClassOf = (type: string): WorkerClass | undefined => runModeOf(checkTypeOf(type))?.workerClass
