import { expect, test } from 'vitest'
import { steadyOrder } from './steady-order.ts'

const row = (id: string, text = id) => ({ id, text })
const steady = (shown: string[], items: { id: string; text: string }[]) => steadyOrder(shown, items, ({ id }) => id)

test('rows keep their places and get their new content', () => {
  const { items, waiting } = steady(['a', 'b'], [row('b', 'fails'), row('a')])
  expect(items).toEqual([row('a'), row('b', 'fails')])
  expect(waiting).toBe(1)
})

test('rows that came are counted, not shown; rows that went leave', () => {
  const { items, waiting } = steady(['a', 'b'], [row('c'), row('d'), row('b')])
  expect(items).toEqual([row('b')])
  expect(waiting).toBe(2)
})

test('nothing waits while the order is the same', () => {
  expect(steady(['a', 'b'], [row('a', 'new text'), row('b')]).waiting).toBe(0)
})
