import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSpoolDir, removeSpoolDir, startAgent, type SeparateAgent } from './agent.ts'
import { betweenResultReads, startProduct, removeDataDir, until, type Product } from './product.ts'
import { startTarget, type WatchedTarget } from './target.ts'

interface Result {
  id: string
  dueAt: string
  created_at: string
  runSource: string
  hasErrors: boolean
  hasFailures: boolean
}

const periodMs = 10_000
const checkCount = 8

let product: Product
let target: WatchedTarget
let spoolDirs: string[]
let key: string
let steady: SeparateAgent
let mortal: SeparateAgent
const checks: string[] = []

const startMortal = () => startAgent({ url: product.url, key, spoolDir: spoolDirs[1] ?? '' })

beforeAll(async () => {
  // Runs last for a while, so that every kill hits some of them.
  target = await startTarget(async (): Promise<'up'> => {
    await sleep(300 + Math.random() * 1500)
    return 'up'
  })
  spoolDirs = [await newSpoolDir(), await newSpoolDir()]
  product = await startProduct()
  const location = await product.create('/v1/private-locations', { name: 'Office', slugName: 'office' })
  key = (await product.api<{ rawKey: string }>('POST', `/v1/private-locations/${location}/keys`)).body.rawKey
  steady = await startAgent({ url: product.url, key, spoolDir: spoolDirs[0] ?? '' })
  mortal = await startMortal()
  for (let nth = 0; nth < checkCount; nth++)
    checks.push(
      await product.create('/v1/checks/api', {
        name: `Check ${nth}`,
        frequency: 0,
        frequencyOffset: 10,
        locations: [],
        privateLocations: ['office'],
        doubleCheck: false,
        request: { url: `${target.url}/${nth}` },
      }),
    )
})
afterAll(async () => {
  await Promise.all([steady.stop(), mortal.stop()])
  await product.stop()
  await Promise.all([target.stop(), removeDataDir(product.dataDir), ...spoolDirs.map(removeSpoolDir)])
})

/** The final results of the schedule that are due in a time. */
async function finalsOf(checkId: string, from: number, to: number): Promise<Result[]> {
  const path = `/v2/check-results/${checkId}?limit=100&resultType=FINAL&from=${Math.floor(from / 1000) - 60}`
  const { entries } = (await product.api<{ entries: Result[] }>('GET', path)).body
  const ofSchedule = entries.filter(({ runSource }) => runSource === 'SCHEDULER')
  return ofSchedule.filter(({ dueAt }) => Date.parse(dueAt) >= from && Date.parse(dueAt) < to)
}

/** The ticks between two times that have no result of their own. */
function slotsWithout(finals: readonly Result[], from: number, to: number): number[] {
  const known = new Set(finals.map(({ dueAt }) => Date.parse(dueAt)))
  const [any = 0] = known
  const first = from + ((((any - from) % periodMs) + periodMs) % periodMs)
  const slots = Array.from({ length: Math.ceil((to - first) / periodMs) }, (_, nth) => first + nth * periodMs)
  return slots.filter((slot) => !known.has(slot))
}

/** A run is in flight until its result is stored, which is a moment after the time that the result bears. */
const storingMs = 5000

const isOverlapped = (slot: number, finals: readonly Result[]): boolean =>
  finals.some(({ dueAt, created_at: end }) => Date.parse(dueAt) < slot && slot < Date.parse(end) + storingMs)

const overlapsOf = async (checkId: string): Promise<number> =>
  (await product.api<{ overlaps: number }>('GET', `/v1/check-statuses/${checkId}`)).body.overlaps

test('while one of two agents is killed every five seconds for two minutes, every tick ends once', async () => {
  await sleep(periodMs)
  const before = await Promise.all(checks.map(overlapsOf))
  const from = Date.now()
  let kills = 0
  while (Date.now() - from < 120_000 || kills <= 10) {
    await sleep(5000)
    await mortal.kill()
    kills += 1
    mortal = await startMortal()
  }
  const to = Date.now()
  expect(kills).toBeGreaterThan(10)
  let known = 0
  for (const [nth, checkId] of checks.entries()) {
    const isWhole = async () => {
      const finals = await finalsOf(checkId, from, to)
      expect(new Set(finals.map(({ dueAt }) => dueAt)).size).toBe(finals.length)
      const missing = slotsWithout(finals, from, to)
      const overlaps = (await overlapsOf(checkId)) - (before[nth] ?? 0)
      return (
        finals.length > 0 && missing.every((slot) => isOverlapped(slot, finals)) && overlaps >= missing.length && finals
      )
    }
    const finals = await until(`every tick of check ${nth} to end`, isWhole, 120_000, betweenResultReads)
    expect(finals.filter(({ hasFailures }) => hasFailures)).toEqual([])
    known += finals.filter(({ hasErrors }) => !hasErrors).length
  }
  // The other agent takes over: few ticks are lost.
  expect(known).toBeGreaterThan(checkCount * 6)
})
