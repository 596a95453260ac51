import type { CheckUptime, Clock } from '@vedette/wire'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../../db/database.ts'
import type { CommittedResult } from '../../../runs.ts'
import { checksOfAccount, countHours, type CheckHour, type HourCount } from './uptime-store.ts'

const hourMs = 3_600_000
const fullHours = 24
/** Hours counted by one query, so that other queries run in between. */
const hoursAtOnce = 100
/** Those of two thousand checks: about ten megabytes. */
const mostHours = 2000 * fullHours
/** Another server on the same database may store a late result without word of it. */
const sharedFreshMs = 5 * 60_000

export interface UptimeHours {
  /** Of the account's checks among these, since the full hour 24 hours ago. */
  of(accountId: string, checkIds: readonly string[]): Promise<CheckUptime[]>
  /** Call with results after their commit: their hours are counted anew. */
  forget(results: readonly Pick<CommittedResult, 'checkId' | 'dueAt' | 'resultType'>[]): void
}

/** Counts runs by check and hour, and keeps the hours that are over: they change by late results only. */
export function uptimeHours({ db, clock }: { db: Database; clock: Clock }): UptimeHours {
  const fresh = { ttl: sharedFreshMs, ttlResolution: 0, perf: { now: () => clock.monotonic() } }
  const known = new LRUCache<string, HourCount>({ max: mostHours, ...(db.peers && fresh) })
  /** Hours that are being counted. One that gets a result meanwhile leaves, and what was counted of it is not kept. */
  const counting = new Map<string, symbol>()

  async function count(hours: readonly CheckHour[], running: number): Promise<HourCount[]> {
    const mark = Symbol('counting')
    const keys = hours.map(keyOf)
    for (const key of keys) counting.set(key, mark)
    const isOwn = (key: string) => counting.get(key) === mark
    try {
      const counts = await countHours(db.pool, hours)
      for (const [index, { hour }] of hours.entries()) {
        const [key, found] = [keys[index], counts[index]]
        if (key !== undefined && found && hour < running && isOwn(key)) known.set(key, found)
      }
      return counts
    } finally {
      for (const key of keys.filter(isOwn)) counting.delete(key)
    }
  }

  return {
    async of(accountId, checkIds) {
      const checks = await checksOfAccount(db.pool, accountId, [...new Set(checkIds)])
      const running = hourOf(clock.now())
      const sums = new Map(checks.map((id) => [id, { passed: 0, failed: 0 }]))
      const missing: CheckHour[] = []
      for (const wanted of hoursOf(checks, running)) {
        const found = wanted.hour < running ? known.get(keyOf(wanted)) : undefined
        if (found) add(sums.get(wanted.checkId), found)
        else missing.push(wanted)
      }
      for (let from = 0; from < missing.length; from += hoursAtOnce) {
        const part = missing.slice(from, from + hoursAtOnce)
        const counts = await count(part, running)
        for (const [index, { checkId }] of part.entries()) add(sums.get(checkId), counts[index])
      }
      return checks.map((checkId) => uptimeOf(checkId, sums.get(checkId)))
    },

    forget(results) {
      for (const { checkId, dueAt, resultType } of results) {
        if (resultType !== 'FINAL') continue
        const key = keyOf({ checkId, hour: hourOf(dueAt) })
        known.delete(key)
        counting.delete(key)
      }
    },
  }
}

const hourOf = (atMs: number): number => Math.floor(atMs / hourMs) * hourMs
const keyOf = ({ checkId, hour }: CheckHour): string => `${checkId} ${hour}`

/** By hour, so that a query reads few days. */
const hoursOf = (checkIds: readonly string[], running: number): CheckHour[] =>
  Array.from({ length: fullHours + 1 }, (_, back) => running - back * hourMs).flatMap((hour) =>
    checkIds.map((checkId) => ({ checkId, hour })),
  )

function add(sum: HourCount | undefined, count: HourCount | undefined): void {
  if (!sum || !count) return
  sum.passed += count.passed
  sum.failed += count.failed
}

function uptimeOf(checkId: string, { passed, failed }: HourCount = { passed: 0, failed: 0 }): CheckUptime {
  const runs = passed + failed
  return { checkId, uptime: runs === 0 ? null : passed / runs, runs }
}
