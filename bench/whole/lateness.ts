import { dueAt, slotAtOrBefore } from '@vedette/wire'
import { schedule } from '../subjects/vedette.ts'
import { periodSeconds } from '../subjects/subject.ts'
import type { Arrival } from '../target/target.ts'

/** A request that arrives so early still belongs to the slot that comes. */
const earlyMs = 1000

/** The number of the check that asked for this path; undefined for other requests. */
export function checkOfPath(path: string): number | undefined {
  const found = /^\/check\/(\d+)$/.exec(path)
  return found === null ? undefined : Number(found[1])
}

/** The due time of the slot nearest to a moment. */
export function dueNear(checkId: string, at: number): number {
  const own = { checkId, ...schedule }
  return dueAt(own, slotAtOrBefore(own, at + earlyMs))
}

/** Milliseconds from the due time to the request at the target, which includes the connection. */
export function latenessOf(arrivals: readonly Arrival[], ids: readonly string[]): number[] {
  return arrivals.flatMap(([path, at]) => {
    const checkId = ids[checkOfPath(path) ?? -1]
    return checkId === undefined ? [] : [at - dueNear(checkId, at)]
  })
}

/** Milliseconds by which the time between two requests of a check exceeds its period. It needs no due times. */
export function excessOf(arrivals: readonly Arrival[]): number[] {
  const last = new Map<string, number>()
  return arrivals.flatMap(([path, at]) => {
    const before = last.get(path)
    if (checkOfPath(path) !== undefined) last.set(path, at)
    return before === undefined ? [] : [at - before - periodSeconds * 1000]
  })
}
