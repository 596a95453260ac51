import { z } from 'zod'
import { checkTypeNames, workerClasses } from './enums.ts'
import { locationIdSchema } from './location.ts'
import { completeRetryStrategySchema } from './settings.ts'
import { hash32, intervalMs, slotAtOrAfter, slotAtOrBefore } from './due.ts'

/**
 * Asks for the plan of the location: what the agent runs by itself while the server is away. `publicKey` is its X25519
 * key, raw and base64url, to which the content is sealed. With the `version` it has, only a changed plan is sent again.
 */
export const planRequest = z.strictObject({
  agentId: z.uuid(),
  publicKey: z.base64url().length(43),
  version: z.string().max(100).optional(),
  /** The `next` of the part before; absent for the first part. */
  after: z.uuid().optional(),
})
export type PlanRequest = z.infer<typeof planRequest>

/** The slots of a check that are due at one location. Slot n of the check is one of them when n mod `every` is `turn`. */
export const plannedSlots = z.object({
  checkId: z.uuid(),
  frequency: z.int().min(0),
  frequencyOffset: z.int().min(0),
  every: z.int().min(1),
  turn: z.int().min(0),
  /** Epoch milliseconds of server time: earlier slots are not run. */
  from: z.number(),
  /** Epoch milliseconds of server time: later slots are not run, and the content is not opened later. */
  until: z.number(),
})
export type PlannedSlots = z.infer<typeof plannedSlots>

/** One check of a plan. */
export const plannedCheck = plannedSlots
  .extend({
    revision: z.int(),
    /** Id of the location, of which the ids of results are made. */
    location: locationIdSchema,
    type: z.enum(checkTypeNames),
    workerClass: z.enum(workerClasses),
    /** How a failed run is retried while no server answers; absent or null: not at all. */
    retryStrategy: completeRetryStrategySchema.nullish(),
    /** Signed by the server. Followed by `.` and the due time of a slot, it is the lease of that slot: `leaseOfPlan`. */
    token: z.string().max(2000),
    /** The `JobContent` of its runs as JSON, sealed to the agent in the context `sealingContext`. */
    sealed: z.string(),
  })
  .refine((check) => intervalMs(check) > 0, 'has no time between its slots')
export type PlannedCheck = z.infer<typeof plannedCheck>

/** Which of the slots of a location an agent takes: those whose hash mod `of` is `index`. */
export interface PlanShare {
  index: number
  of: number
}

/** A part of a plan. `unchanged`: the agent has this version already, and no checks are sent. */
export interface PlanAnswer {
  version: string
  unchanged: boolean
  share: PlanShare
  checks: PlannedCheck[]
  /** Where the next part begins; null: this is the last. */
  next: string | null
}
/** `plan` is null for a key that has none. */
export interface PlanResponse {
  serverTime: number
  plan: PlanAnswer | null
}

/** Checks are read one by one, so that one that cannot be read does not lose the others. */
export const planResponse = z.object({
  serverTime: z.number(),
  plan: z
    .object({
      version: z.string(),
      unchanged: z.boolean(),
      share: z.object({ index: z.int().min(0), of: z.int().min(1) }),
      checks: z.array(z.unknown()),
      next: z.string().nullable(),
    })
    .nullable(),
})

/** What the content of a planned check is bound to. */
export const sealingContext = ({
  checkId,
  revision,
  until,
}: Pick<PlannedCheck, 'checkId' | 'revision' | 'until'>): string => `${checkId}/${revision}/${until}`

/** The lease of an attempt of a slot: without the last part for the first attempt. */
export const leaseOfPlan = (token: string, dueAtMs: number, attempt: number): string =>
  attempt === 0 ? `${token}.${dueAtMs}` : `${token}.${dueAtMs}.${attempt}`

/** Whether slot `n` of the check is due at the location. */
export const isPlannedSlot = ({ every, turn }: Pick<PlannedSlots, 'every' | 'turn'>, n: number): boolean =>
  ((n % every) + every) % every === turn

/** Whether a slot of the check is due at exactly this time at the location, and the plan holds for it. */
export function isPlannedTime(slots: PlannedSlots, atMs: number): boolean {
  const n = slotAtOrBefore(slots, atMs)
  return atMs >= slots.from && atMs <= slots.until && n === slotAtOrAfter(slots, atMs) && isPlannedSlot(slots, n)
}

/** Whether an agent with this share takes a slot: the agents of a location divide the slots among them. */
export const isInShare = ({ index, of }: PlanShare, checkId: string, n: number): boolean =>
  hash32(`${checkId}/${n}`) % of === index
