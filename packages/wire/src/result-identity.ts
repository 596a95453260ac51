import { z } from 'zod'
import { checkTypeNames, workerClasses } from './enums.ts'
import { locationIdSchema } from './location.ts'

/**
 * What caused a result. Names of the contract's `runSource`, where runs of the editor are dry runs; `PASSIVE` is ours.
 */
export const runSources = ['SCHEDULER', 'SCHEDULE_NOW', 'TRIGGER_API', 'GROUP_RUN_ALL', 'EDITOR', 'PASSIVE'] as const
export type RunSource = (typeof runSources)[number]

/**
 * The identity of a result, whatever produced it: an agent under a lease, events of a passive check, or the server for
 * a run that was lost. `dueAt` is epoch milliseconds of server time. The location is an id, never a slug; it is null
 * for a passive check, which runs nowhere.
 *
 * Six fields name the result. The other five cannot be derived from them when a result arrives: `sequenceId` is made
 * from the location of the first attempt, and a retry may run elsewhere; `attempt` is in `attemptId` only as part of a
 * hash; `accountId` is compared with the account of the check, so that no result is stored in another account; `type`
 * is needed because the check of a dry run is not stored; `emulated` depends on which agent ran it.
 */
export const resultIdentity = z.strictObject({
  attemptId: z.uuid(),
  checkId: z.uuid(),
  revision: z.int(),
  dueAt: z.number(),
  location: locationIdSchema.nullable(),
  source: z.enum(runSources),
  sequenceId: z.uuid(),
  /** Attempts of the same run before this one. */
  attempt: z.int().min(0),
  accountId: z.uuid(),
  type: z.enum(checkTypeNames),
  /** True when the built-in agent stood in for a location without an agent of its own. */
  emulated: z.boolean(),
})
export type ResultIdentity = z.infer<typeof resultIdentity>

/**
 * The content of a verified lease token: the identity of the result to come, and who may report it. Only the server
 * makes and reads it.
 */
export const leaseClaims = resultIdentity.extend({
  location: locationIdSchema,
  /** The location key that leased the run. */
  keyId: z.string(),
  /** Epoch milliseconds of server time. */
  leasedAt: z.number(),
  workerClass: z.enum(workerClasses),
  /** Longest duration of the run, which bounds how long its lease is renewed. Absent in tokens of older servers. */
  timeoutMs: z.number().optional(),
})
export type LeaseClaims = z.infer<typeof leaseClaims>
