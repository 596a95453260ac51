import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cutText, storableJson, storableText } from './storable.ts'

const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) })
const isWhole = (text: string): boolean => !/\p{Surrogate}/u.test(text)
const hedgehogs = fc.string({ unit: fc.constantFrom('a', '🦔', 'é', '\u0301') })

it('makes any text one that the database holds, and leaves storable ones alone', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const stored = storableText(text)
      expect(isWhole(stored) && !stored.includes('\0')).toBe(true)
      expect(storableText(stored)).toBe(stored)
      if (isWhole(text) && !text.includes('\0')) expect(stored).toBe(text)
    }),
  )
})

it('cuts between characters and never more than needed', () => {
  fc.assert(
    fc.property(hedgehogs, fc.nat(40), (text, length) => {
      const cut = cutText(text, length)
      expect(text.startsWith(cut) && isWhole(cut)).toBe(true)
      expect(cut.length).toBeLessThanOrEqual(length)
      expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, length) - 1)
    }),
  )
})

it('keeps JSON as it is, apart from what cannot be stored', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      expect(JSON.stringify(storableJson(value))).toBe(JSON.stringify(value))
    }),
  )
  expect(storableJson({ 'a\0': [Infinity, 'x\ud800'], n: Number.NaN })).toEqual({
    'a\ufffd': [null, 'x\ufffd'],
    n: null,
  })
})

it('returns what can be stored as it is, and leaves what it copies unchanged', () => {
  const value = { text: 'é🦔', list: [1, null, { deep: true }] }
  expect(storableJson(value)).toBe(value)
  const broken = { text: 'x\ud800', list: [Infinity] }
  expect(storableJson(broken)).toEqual({ text: 'x\ufffd', list: [null] })
  expect(broken).toEqual({ text: 'x\ud800', list: [Infinity] })
})

it('says where it left out what nests too deep or is too much', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`) as unknown
  expect(JSON.stringify(storableJson(deep))).toMatch(/nested deeper than 64 levels/)
  const wide = { first: Array.from({ length: 200_000 }, () => 1), last: { a: 1 } }
  const text = JSON.stringify(storableJson(wide))
  expect(text.length).toBeLessThan(120_000)
  expect(text).toMatch(/"last":"\[more than 50000 values\]"/)
})

it('keeps keys that are named like parts of objects as what they are: keys', () => {
  const value = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as unknown
  const copy = storableJson(value) as Record<string, unknown>
  expect(Object.keys(copy)).toEqual(['__proto__', 'constructor'])
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  expect(copy.polluted).toBeUndefined()
})
