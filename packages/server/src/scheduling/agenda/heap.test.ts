import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DueHeap } from './heap.ts'

const drain = (heap: DueHeap): [number, number][] => {
  const out: [number, number][] = []
  for (let entry = heap.firstEntry(); entry !== undefined; entry = heap.firstEntry()) {
    out.push([heap.firstDue(), entry])
    heap.remove(entry)
  }
  return out
}

const sorted = (model: Map<number, number>): [number, number][] =>
  [...model].map(([entry, due]): [number, number] => [due, entry]).toSorted((a, b) => a[0] - b[0] || a[1] - b[1])

describe('the heap of due times', () => {
  it('is empty at first', () => {
    const heap = new DueHeap(0)
    expect([heap.size, heap.firstDue(), heap.firstEntry(), heap.remove(3)]).toEqual([0, Infinity, undefined, false])
  })

  it('gives entries back in order of due time after any adds, moves and removals', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('set' as const), entry: fc.nat(60), due: fc.nat(40) }),
      fc.record({ kind: fc.constant('remove' as const), entry: fc.nat(60), due: fc.constant(0) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const heap = new DueHeap(4)
        const model = new Map<number, number>()
        for (const { kind, entry, due } of steps) {
          if (kind === 'remove') expect(heap.remove(entry)).toBe(model.delete(entry))
          else {
            heap.set(entry, due)
            model.set(entry, due)
          }
          expect(heap.has(entry)).toBe(model.has(entry))
        }
        expect(heap.size).toBe(model.size)
        expect(drain(heap)).toEqual(sorted(model))
      }),
    )
  })

  it('orders what was added at once like what was added one by one', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { maxLength: 300 }), (dues) => {
        const heap = new DueHeap(1)
        heap.set(0, 500)
        heap.setAll(dues.map((due, entry) => ({ entry, due })))
        const model = new Map(dues.map((due, entry): [number, number] => [entry, due]))
        if (dues.length === 0) model.set(0, 500)
        expect(drain(heap)).toEqual(sorted(model))
      }),
    )
  })
})
