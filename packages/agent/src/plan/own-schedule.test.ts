import { dueAt, slotAtOrAfter, type Job, type PlannedCheck } from '@vedette/wire'
import { sealingKeys } from '@vedette/wire/sealing'
import { beforeEach, expect, test } from 'vitest'
import { givenManualClock } from '../../test-support/clocks.ts'
import { plannedCheckFor } from '../../test-support/plans.ts'
import { OwnSchedule } from './own-schedule.ts'
import { jobOfSlot } from './plan.ts'

const keys = sealingKeys()
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

let clock: ReturnType<typeof givenManualClock>
let connection: { session: undefined | object; answeredAt: number | undefined; isDenied: boolean }
let welcome: () => void
let running: Set<string>
let room: boolean
/** So many runs may begin in all. */
let most: number
let jobs: Job[]
let schedule: OwnSchedule
let check: PlannedCheck

beforeEach(() => {
  clock = givenManualClock()
  connection = { session: {}, answeredAt: undefined, isDenied: false }
  running = new Set()
  room = true
  most = Infinity
  jobs = []
  check = plannedCheckFor(keys.publicKey)
  const listened = { ...connection, onReady: (listener: () => void) => void (welcome = listener) }
  connection = listened
  schedule = new OwnSchedule({
    connection: listened as never,
    clock,
    clockOffset: () => 0,
    running: () => running,
    hasRoom: () => room && jobs.length < most,
    begin: (slot) => void jobs.push(jobOfSlot(slot, keys)),
    log: silent,
  })
  schedule.replace({ version: '1', share: { index: 0, of: 1 }, checks: [check] })
  schedule.start()
})

/** It looks for slots every half second, those of a second ahead included. */
const aheadMs = 1000

/** The server answers now, and from then on no more. */
function goesAway(): void {
  connection.answeredAt = clock.monotonic()
  connection.session = undefined
}

const duesUntil = (fromMs: number, toMs: number): number[] => {
  const first = dueAt(check, slotAtOrAfter(check, fromMs))
  return Array.from({ length: Math.floor((toMs - first) / 10_000) + 1 }, (_, nth) => first + nth * 10_000)
}

test('nothing is run while a server answers, or has been away for a moment', () => {
  clock.advance(60_000)
  goesAway()
  clock.advance(4500)
  welcome()
  connection.session = {}
  clock.advance(60_000)
  expect(jobs).toEqual([])
  expect(schedule.isActive).toBe(false)
})

test('while no server answers every slot is run once, ahead of its time, the one that was due meanwhile included', () => {
  goesAway()
  const from = clock.now()
  clock.advance(60_500)
  expect(schedule.isActive).toBe(true)
  expect(jobs.map((job) => job.dueAt)).toEqual(duesUntil(from + 501, clock.now() + aheadMs))
})

test('an agent that never reached a server has nothing to run, and one with a refused key has no more', () => {
  connection.session = undefined
  clock.advance(30_000)
  expect(jobs).toEqual([])
  goesAway()
  connection.isDenied = true
  clock.advance(30_000)
  expect(jobs).toEqual([])
  expect(schedule.plan).toBeUndefined()
})

test('it stops when a server answers, and begins anew with the next silence', () => {
  goesAway()
  clock.advance(20_000)
  connection.session = {}
  welcome()
  const before = jobs.length
  clock.advance(30_000)
  expect(jobs).toHaveLength(before)
  goesAway()
  const from = clock.now()
  clock.advance(20_500)
  expect(jobs.slice(before).map((job) => job.dueAt)).toEqual(duesUntil(from + 501, clock.now() + aheadMs))
})

test('a slot is dropped while the run before it goes on, and waits while there is no room', () => {
  goesAway()
  running.add(check.checkId)
  clock.advance(20_000)
  expect(jobs).toEqual([])
  running.clear()
  room = false
  clock.advance(10_000)
  expect(jobs).toEqual([])
  room = true
  clock.advance(500)
  expect(jobs).toHaveLength(1)
})

test('whether the run before it goes on is judged when a slot is due, and not ahead of its time', () => {
  goesAway()
  running.add(check.checkId)
  const due = duesUntil(clock.now() + 10_000, clock.now() + 30_000)[0] ?? 0
  clock.advance(due - 100 - clock.now())
  running.clear()
  clock.advance(600)
  expect(jobs.map((job) => job.dueAt)).toEqual([due])
})

test('while there is room for a few only, the checks take turns', () => {
  const checks = Array.from({ length: 4 }, () => plannedCheckFor(keys.publicKey))
  schedule.replace({ version: '2', share: { index: 0, of: 1 }, checks })
  most = 0
  goesAway()
  clock.advance(20_000)
  // A place becomes free in the rhythm of the checks.
  for (let nth = 0; nth < 12; nth++) {
    most += 1
    clock.advance(10_000)
  }
  const runs = checks.map(({ checkId }) => jobs.filter((job) => job.checkId === checkId).length)
  expect(runs).toEqual([3, 3, 3, 3])
})

test('a check whose content cannot be opened keeps no other from running', () => {
  const strange = plannedCheckFor(sealingKeys().publicKey)
  schedule.replace({ version: '2', share: { index: 0, of: 1 }, checks: [strange, check] })
  goesAway()
  clock.advance(20_000)
  expect(new Set(jobs.map(({ checkId }) => checkId))).toEqual(new Set([check.checkId]))
})
