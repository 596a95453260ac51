import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { comparisons, type Comparison } from '@vedette/wire'
import { compare } from './compare.ts'

const holds = (comparison: Comparison, value: unknown, target = '') => compare(comparison, value, target).holds

describe('comparisons', () => {
  it.each<[Comparison, unknown, string, boolean]>([
    ['EQUALS', 200, '200', true],
    ['EQUALS', 200, '200.0', true],
    ['EQUALS', 200, ' 200 ', true],
    ['EQUALS', 200, '', false],
    ['EQUALS', 0, '', false],
    ['EQUALS', 200, 'x', false],
    ['EQUALS', '007', '7', false],
    ['EQUALS', '12345678901234567891', '12345678901234567890', false],
    ['EQUALS', 'a', 'a', true],
    ['EQUALS', 'a', 'a ', false],
    ['EQUALS', true, 'true', true],
    ['EQUALS', true, '1', false],
    ['EQUALS', null, 'null', true],
    ['EQUALS', undefined, '', false],
    ['EQUALS', undefined, 'undefined', false],
    ['EQUALS', { a: [1, { b: 2 }] }, '{"a":[1,{"b":2}]}', true],
    ['EQUALS', { a: 1, b: 2 }, '{"b":2,"a":1}', true],
    ['EQUALS', { a: 1 }, '{"a":1,"b":2}', false],
    ['EQUALS', [1, 2], '[2,1]', false],
    ['EQUALS', [1], 'no json', false],
    ['HAS_KEY', { a: undefined }, 'a', true],
    ['HAS_KEY', {}, 'toString', false],
    ['HAS_KEY', ['a'], '0', false],
    ['HAS_VALUE', ['a', 1], '1', true],
    ['HAS_VALUE', { k: 'v' }, 'v', true],
    ['HAS_VALUE', { k: 'v' }, 'k', false],
    ['HAS_VALUE', 'v', 'v', false],
    ['IS_EMPTY', '', '', true],
    ['IS_EMPTY', [], '', true],
    ['IS_EMPTY', {}, '', true],
    ['IS_EMPTY', null, '', true],
    ['IS_EMPTY', undefined, '', true],
    ['IS_EMPTY', 0, '', false],
    ['IS_EMPTY', false, '', false],
    ['IS_EMPTY', ' ', '', false],
    ['GREATER_THAN', 5, '4.9', true],
    ['GREATER_THAN', 5, '5', false],
    ['GREATER_THAN', '10', '9', true],
    ['GREATER_THAN', 'ten', '9', false],
    ['GREATER_THAN', undefined, '0', false],
    ['LESS_THAN', 4, '5', true],
    ['LESS_THAN', 5, '5', false],
    ['LESS_THAN', undefined, '5', false],
    ['LESS_THAN', null, '5', false],
    ['LESS_THAN', '', '5', false],
    ['LESS_THAN', 4, 'five', false],
    ['CONTAINS', 'abc', 'b', true],
    ['CONTAINS', ['abc'], 'b', false],
    ['CONTAINS', ['b'], 'b', true],
    ['CONTAINS', { k: 'vb' }, 'b', true],
    ['CONTAINS', 1234, '23', true],
    ['CONTAINS', undefined, '', false],
    ['IS_NULL', null, '', true],
    ['IS_NULL', undefined, '', true],
    ['IS_NULL', 0, '', false],
    ['IS_NULL', '', '', false],
  ])('%s of %j with "%s" is %s', (comparison, value, target, expected) => {
    expect(holds(comparison, value, target)).toBe(expected)
  })

  it('have an exact opposite for every value, nothing included', () => {
    const pairs: [Comparison, Comparison][] = [
      ['EQUALS', 'NOT_EQUALS'],
      ['HAS_KEY', 'NOT_HAS_KEY'],
      ['HAS_VALUE', 'NOT_HAS_VALUE'],
      ['IS_EMPTY', 'NOT_EMPTY'],
      ['CONTAINS', 'NOT_CONTAINS'],
      ['IS_NULL', 'NOT_NULL'],
    ]
    fc.assert(
      fc.property(fc.option(fc.jsonValue(), { nil: undefined }), fc.string(), (value, target) => {
        for (const [plain, negated] of pairs) {
          expect(holds(plain, value, target)).toBe(!holds(negated, value, target))
        }
      }),
    )
  })

  it('never throw, whatever the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, target) => {
        for (const comparison of comparisons) expect(typeof holds(comparison, value, target)).toBe('boolean')
      }),
    )
  })

  it('say why a value cannot be ordered', () => {
    expect(compare('GREATER_THAN', 'ten', '9')).toEqual({ holds: false, note: 'it is not a number' })
    expect(compare('HAS_KEY', [], 'a')).toEqual({ holds: false, note: 'it is not an object' })
  })
})
