import { dueAt, slotAtOrAfter } from '@vedette/wire'
import { quantile } from '../readings/statistics.ts'
import { schedule } from '../subjects/vedette.ts'
import type { Arrival } from '../target/target.ts'
import { checkOfPath, dueNear } from '../whole/lateness.ts'

/** What was seen of a fleet between two moments. */
export interface Seen {
  ids: readonly string[]
  from: number
  to: number
  /** Stored final results. */
  results: readonly StoredResult[]
  arrivals: readonly Arrival[]
  /** Due times of stored results, as the API lists them for some of the checks. */
  listed: ReadonlyMap<string, readonly number[]>
}

export interface StoredResult {
  checkId: string
  dueAt: number
  passed: boolean
}

export interface Truth {
  slots: number
  p50: number
  p99: number
  /** What did not hold, in words; empty when everything did. */
  broken: string[]
}

/** Goals for the time from the due time to the request at the target. */
const goals = { p50: 15, p99: 60 }

/** Whether each slot that was due has one request at the target and one stored result that passed, all in time. */
export function truthOf({ ids, from, to, results, arrivals, listed }: Seen): Truth {
  const slots = new Map(ids.flatMap((checkId) => slotsOf(checkId, from, to)).map((key) => [key, newSlot()]))
  for (const { checkId, dueAt: due, passed } of results) {
    const slot = slots.get(keyOf(checkId, due))
    if (slot === undefined) continue
    slot.stored++
    if (!passed) slot.notPassed++
  }
  const lateness: number[] = []
  for (const [path, at] of arrivals) {
    const checkId = ids[checkOfPath(path) ?? -1]
    const due = checkId === undefined ? 0 : dueNear(checkId, at)
    const slot = slots.get(keyOf(checkId ?? '', due))
    if (slot === undefined) continue
    slot.asked++
    lateness.push(at - due)
  }
  const [p50, p99] = [quantile(lateness, 0.5), quantile(lateness, 0.99)]
  const broken = [...brokenSlots([...slots.values()]), ...brokenLists(listed, from, to), ...brokenGoals({ p50, p99 })]
  return { slots: slots.size, p50, p99, broken }
}

interface Slot {
  asked: number
  stored: number
  notPassed: number
}

const newSlot = (): Slot => ({ asked: 0, stored: 0, notPassed: 0 })

const keyOf = (checkId: string, due: number): string => `${checkId} ${due}`

function slotsOf(checkId: string, from: number, to: number): string[] {
  const own = { checkId, ...schedule }
  const keys: string[] = []
  for (let slot = slotAtOrAfter(own, from); dueAt(own, slot) < to; slot++) keys.push(keyOf(checkId, dueAt(own, slot)))
  return keys
}

function brokenSlots(slots: readonly Slot[]): string[] {
  const kinds: [what: string, isSo: (slot: Slot) => boolean][] = [
    ['have no request at the target', ({ asked }) => asked === 0],
    ['have several requests at the target', ({ asked }) => asked > 1],
    ['have no stored result', ({ stored }) => stored === 0],
    ['have several stored results', ({ stored }) => stored > 1],
    ['did not pass', ({ notPassed }) => notPassed > 0],
  ]
  return kinds.flatMap(([what, isSo]) => {
    const count = slots.filter(isSo).length
    return count === 0 ? [] : [`${count} of ${slots.length} slots ${what}`]
  })
}

function brokenLists(listed: Seen['listed'], from: number, to: number): string[] {
  const keys = (checkId: string, due: readonly number[]) => due.map((at) => keyOf(checkId, at)).toSorted()
  const others = [...listed].filter(
    ([checkId, due]) => keys(checkId, due).join() !== slotsOf(checkId, from, to).toSorted().join(),
  )
  return others.length === 0 ? [] : [`${others.length} of ${listed.size} sampled checks do not list each slot once`]
}

const brokenGoals = ({ p50, p99 }: { p50: number; p99: number }): string[] => [
  ...(p50 <= goals.p50 ? [] : [`lateness p50 is ${Math.round(p50)} ms, its goal ≤ ${goals.p50}`]),
  ...(p99 <= goals.p99 ? [] : [`lateness p99 is ${Math.round(p99)} ms, its goal ≤ ${goals.p99}`]),
]
