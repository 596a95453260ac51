import { randomUUID } from 'node:crypto'
import { checkTypeOf, type PassiveEvent } from '@vedette/checks'
import type { Clock } from '@vedette/wire'
import { ApiError, notFound, tooManyRequests } from '../api-error.ts'
import type { Database } from '../db/database.ts'
import { throttle } from '../http/callers/throttle.ts'
import { cutText, storableText } from '../storable.ts'
import { inBatches } from './in-batches.ts'
import { insertEvents, readChecksOfTokens, type EventOf, type NamedCheck } from './store.ts'

/** Limit for one check: more than an event every half second is a mistake of the sender. */
const mostPerMinute = 120
/** Events that are stored with one commit. */
const mostAtOnce = 100
const longestPayload = 10_000
const longestHeader = 1000

export interface EventDeps {
  db: Database
  clock: Clock
  /** Called when an event of the check was stored. */
  onEvent: (checkId: string) => void
}

/** A request to the event address of a check. */
export interface SentEvent {
  /** Identifies the check. */
  token: string
  method: string
  source: string | undefined
  userAgent: string | undefined
  payload: string | undefined
}

/** Outcome of a sent event. */
export interface TakenEvent {
  stored: boolean
  /** Why it was not stored. */
  reason: string | null
}

export type TakeEvent = (sent: SentEvent) => Promise<TakenEvent>

/** Stores events and resolves after COMMIT. Events that do not count, or of a deactivated check, are not stored. */
export function eventTaker({ db, clock, onEvent }: EventDeps): TakeEvent {
  const taken = throttle({ now: () => clock.monotonic(), tries: mostPerMinute, windowMs: 60_000 })
  const readCheck = inBatches<string, NamedCheck | undefined>(mostAtOnce, (tokens) =>
    readChecksOfTokens(db.pool, tokens),
  )
  const store = eventStoring(db)
  return async (sent) => {
    const check = await readCheck(sent.token)
    const intake = check && intakeOf(check)
    if (!check || !intake) throw notFound('address for events')
    if (!intake.methods.some((method) => method === sent.method)) throw wrongMethod(sent.method, intake.methods)
    const event = eventOf(sent, clock.now())
    if (!intake.counts(event)) return ignored('Requests like this one do not count as events.')
    if (!check.activated) return ignored('The check is paused.')
    if (check.not_runnable !== null) return ignored(`The check cannot run: ${check.not_runnable}`)
    const seconds = taken.waitSeconds(check.id)
    if (seconds > 0) throw tooManyRequests(`More than ${mostPerMinute} events of this check in a minute.`, seconds)
    taken.failed(check.id)
    await store({ check, event })
    onEvent(check.id)
    return { stored: true, reason: null }
  }
}

/** Stores an event and resolves after COMMIT, which it shares with those that come meanwhile: each costs a write to the disk. */
function eventStoring(db: Database): (one: EventOf) => Promise<void> {
  const storeTogether = inBatches<EventOf, boolean>(mostAtOnce, async (batch) => {
    const stored = await db.transaction((client) => insertEvents(client, batch, { skipHeld: true }))
    return batch.map(({ event }) => stored.has(event.id))
  })
  return async (one) => {
    if (!(await storeTogether(one))) await db.transaction((client) => insertEvents(client, [one], { skipHeld: false }))
  }
}

function intakeOf({ type }: NamedCheck) {
  const mode = checkTypeOf(type)?.mode
  return mode?.kind === 'passive' ? mode.events : undefined
}

const ignored = (reason: string): TakenEvent => ({ stored: false, reason })

const wrongMethod = (method: string, allowed: readonly string[]): ApiError =>
  new ApiError(405, `Events of this check are sent by ${allowed.join(' or ')}, got ${method}.`, {
    headers: { allow: allowed.join(', ') },
  })

const eventOf = ({ source, userAgent, payload }: SentEvent, now: number): PassiveEvent => ({
  id: randomUUID(),
  at: now,
  source: textOf(source, longestHeader),
  userAgent: textOf(userAgent, longestHeader),
  payload: textOf(payload, longestPayload),
})

const textOf = (text: string | undefined, most: number): string | null =>
  text === undefined || text === '' ? null : storableText(cutText(text, most))
