import { dueAt, frequencies, slotAtOrAfter, slotAtOrBefore, staleAfterMs } from '@vedette/wire'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { comingSlot, dueOf, dueSlots, isSlotTime, latestSlot, timetableOf } from './schedule-entry.ts'

const aSchedule = fc
  .record({ checkId: fc.uuid(), frequency: fc.constantFrom(...frequencies), offset: fc.constantFrom(10, 20, 30) })
  .map(({ checkId, frequency, offset }) => ({ checkId, frequency, frequencyOffset: frequency === 0 ? offset : 1 }))
const aTime = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) })

describe('a timetable', () => {
  it('says what the rules shared with agents say', () => {
    fc.assert(
      fc.property(aSchedule, aTime, (schedule, at) => {
        const timetable = timetableOf(schedule)
        expect(latestSlot(timetable, at)).toBe(slotAtOrBefore(schedule, at))
        expect(comingSlot(timetable, at)).toBe(slotAtOrAfter(schedule, at))
        const slot = latestSlot(timetable, at)
        expect(dueOf(timetable, slot)).toBe(dueAt(schedule, slot))
        expect(isSlotTime(schedule, dueOf(timetable, slot))).toBe(true)
        expect(isSlotTime(schedule, dueOf(timetable, slot) + 1)).toBe(false)
      }),
    )
  })
})

describe('slots that are due', () => {
  it('are each run or skipped exactly once, however late and irregular the visits', () => {
    const visits = fc.array(fc.oneof(fc.nat(2000), fc.nat(3_000_000)), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(aSchedule, aTime, visits, (schedule, start, delays) => {
        const timetable = timetableOf(schedule)
        const first = comingSlot(timetable, start)
        const seen: number[] = []
        let next = first
        let now = start
        for (const delay of delays) {
          now += delay
          while (dueOf(timetable, next) <= now) {
            const due = dueSlots(timetable, next, now)
            const skippedTo = due.slot === undefined ? due.next : due.slot
            for (let n = next; n < skippedTo; n++) seen.push(n)
            expect(due.skipped).toEqual(
              skippedTo === next ? undefined : { from: dueOf(timetable, next), to: dueOf(timetable, skippedTo - 1) },
            )
            if (due.slot !== undefined) seen.push(due.slot)
            next = due.next
          }
        }
        const all: number[] = []
        for (let n = first; dueOf(timetable, n) <= now; n++) all.push(n)
        expect(seen).toEqual(all)
      }),
    )
  })

  it('older than six minutes are not run at all', () => {
    const timetable = { interval: 86_400_000, phase: 0 }
    const due = dueOf(timetable, 20_000)
    expect(dueSlots(timetable, 20_000, due + staleAfterMs - 1).slot).toBe(20_000)
    expect(dueSlots(timetable, 20_000, due + staleAfterMs)).toEqual({
      slot: undefined,
      skipped: { from: due, to: due },
      next: 20_001,
    })
  })
})
