import fc from 'fast-check'
import { expect, it } from 'vitest'
import { attemptId, dueAtOfId, sequenceId } from './ids.ts'

const uuidV8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const aTime = fc.integer({ min: 0, max: 2 ** 48 - 1 })

it('ids are UUIDs of version 8 that carry their due time', () => {
  fc.assert(
    fc.property(fc.uuid(), aTime, fc.string(), fc.nat(10), (checkId, dueAt, location, attempt) => {
      const sequence = sequenceId(checkId, dueAt, location)
      const id = attemptId(sequence, dueAt, attempt)
      expect(sequence).toMatch(uuidV8)
      expect(id).toMatch(uuidV8)
      expect([dueAtOfId(sequence), dueAtOfId(id)]).toEqual([dueAt, dueAt])
    }),
  )
})

it('ids are the same for the same run and differ when check, time, location or attempt differ', () => {
  const base = ['a1', 1_700_000_000_000, 'eu-west-1', 0] as const
  const idOf = (checkId: string, dueAt: number, location: string, attempt: number) =>
    attemptId(sequenceId(checkId, dueAt, location), dueAt, attempt)
  expect(idOf(...base)).toBe(idOf(...base))
  const others = [
    idOf('a2', base[1], base[2], 0),
    idOf('a1', base[1] + 1, base[2], 0),
    idOf('a1', base[1], 'us-east-1', 0),
    idOf('a1', base[1], base[2], 1),
  ]
  expect(new Set([idOf(...base), ...others]).size).toBe(5)
})

it('a text that is no such id carries no time', () => {
  for (const text of ['', 'x', '7b0a3f0c-6f0e-4c52-a2a4-3f1c7a0b8d11', '018f0000-0000-8000-0000-000000000000'])
    expect(dueAtOfId(text)).toBeUndefined()
})
