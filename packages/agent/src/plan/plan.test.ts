import { dueAt, slotAtOrAfter, staleAfterMs } from '@vedette/wire'
import { dueAtOfId } from '@vedette/wire/ids'
import { sealingKeys } from '@vedette/wire/sealing'
import { expect, test } from 'vitest'
import { jobContent, plannedCheckFor } from '../../test-support/plans.ts'
import { jobOfSlot, nextSlot } from './plan.ts'

const keys = sealingKeys()
const alone = { share: { index: 0, of: 1 } }
const check = plannedCheckFor(keys.publicKey)
/** A slot in the middle of time. */
const slot = slotAtOrAfter(check, 1_800_000_000_000)
const due = dueAt(check, slot)

test('slots that were just missed are run one after another, and of a longer time only the newest', () => {
  expect(nextSlot(alone, check, { afterMs: due - 1, toMs: due + 9999 })).toEqual({ check, dueAt: due, attempt: 0 })
  expect(nextSlot(alone, check, { afterMs: due - 20_000, toMs: due + 1 })?.dueAt).toBe(due - 10_000)
  expect(nextSlot(alone, check, { afterMs: due - 100_000, toMs: due + 1 })?.dueAt).toBe(due - 20_000)
  const rare = plannedCheckFor(keys.publicKey, { frequency: 1, frequencyOffset: 1 })
  const newest = dueAt(rare, slotAtOrAfter(rare, due))
  expect(nextSlot(alone, rare, { afterMs: newest - 200_000, toMs: newest + 50_000 })?.dueAt).toBe(newest)
})

test('no slot is run twice, before its check was changed, after the plan is over, or when it is stale', () => {
  expect(nextSlot(alone, check, { afterMs: due, toMs: due + 9999 })).toBeUndefined()
  expect(nextSlot(alone, { ...check, from: due + 1 }, { afterMs: 0, toMs: due + 5 })).toBeUndefined()
  expect(nextSlot(alone, { ...check, until: due - 1 }, { afterMs: due - 1, toMs: due + 5 })).toBeUndefined()
  const daily = plannedCheckFor(keys.publicKey, { frequency: 1440, frequencyOffset: 1 })
  const once = dueAt(daily, slotAtOrAfter(daily, due))
  expect(nextSlot(alone, daily, { afterMs: 0, toMs: once + staleAfterMs })?.dueAt).toBe(once)
  expect(nextSlot(alone, daily, { afterMs: 0, toMs: once + staleAfterMs + 1 })).toBeUndefined()
})

test('of a check that runs at several locations in turn, every n-th slot is run here', () => {
  const turns = [0, 1, 2].map((turn) => {
    const found = nextSlot(alone, { ...check, every: 3, turn }, { afterMs: due - 30_000, toMs: due })
    return found?.dueAt
  })
  expect(new Set(turns)).toEqual(new Set([due - 20_000, due - 10_000, due]))
})

test('agents of a location divide the slots: each slot is run by exactly one', () => {
  const slots = Array.from({ length: 300 }, (_, nth) => due + nth * 10_000)
  const shares = [0, 1, 2].map((index) => {
    const within = (at: number) => nextSlot({ share: { index, of: 3 } }, check, { afterMs: at - 1, toMs: at })
    return slots.filter((at) => within(at) !== undefined)
  })
  expect(shares.flat().toSorted((one, other) => one - other)).toEqual(slots)
  for (const own of shares) expect(own.length).toBeGreaterThan(50)
})

test('the job of a slot has the ids that it would have from the server, and the lease of the plan', () => {
  const job = jobOfSlot({ check, dueAt: due, attempt: 0 }, keys)
  expect(job).toMatchObject({ ...jobContent, checkId: check.checkId, dueAt: due, leasedAt: due, attempt: 0 })
  expect(job.lease).toBe(`${check.token}.${due}`)
  expect(dueAtOfId(job.attemptId)).toBe(due)
})

test('the content of another check, revision or time is not opened', () => {
  for (const changes of [{ checkId: plannedCheckFor(keys.publicKey).checkId }, { revision: 4 }, { until: due + 1 }])
    expect(() => jobOfSlot({ check: { ...check, ...changes }, dueAt: due, attempt: 0 }, keys)).toThrow()
  expect(() => jobOfSlot({ check, dueAt: due, attempt: 0 }, sealingKeys())).toThrow()
})
