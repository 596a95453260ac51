import { expect, test } from 'vitest'
import { extendedTo, nothingSelected, toggled } from './selection.ts'

const order = ['a', 'b', 'c', 'd']

test('a row is chosen and left out again', () => {
  const one = toggled(nothingSelected, 'b')
  expect([...one.ids]).toEqual(['b'])
  expect([...toggled(one, 'b').ids]).toEqual([])
})

test('a range goes from the last chosen row to this one, in either direction', () => {
  const from = toggled(nothingSelected, 'c')
  expect([...extendedTo(from, 'a', order).ids].toSorted()).toEqual(['a', 'b', 'c'])
  expect([...extendedTo(from, 'd', order).ids].toSorted()).toEqual(['c', 'd'])
})

test('without a row to start from, a range is the one row', () => {
  expect([...extendedTo(nothingSelected, 'b', order).ids]).toEqual(['b'])
  expect([...extendedTo(toggled(nothingSelected, 'gone'), 'b', order).ids].toSorted()).toEqual(['b', 'gone'])
})
