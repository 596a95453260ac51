import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

test('keys take turns, each with its items in order', () => {
  const queue = createFairQueue<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(item.charAt(0), item)
  expect([queue.size, queue.sizeOf('a'), queue.sizeOf('z')]).toEqual([6, 3, 0])
  expect(Array.from({ length: 7 }, () => queue.shift())).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined])
  expect([queue.size, queue.sizeOf('a')]).toEqual([0, 0])
})

test('a key that comes later waits for one turn of each key before it, however many items those have', () => {
  const queue = createFairQueue<string>()
  for (let count = 0; count < 50; count += 1) queue.push('greedy', 'greedy')
  expect(queue.shift()).toBe('greedy')
  queue.push('modest', 'modest')
  expect([queue.shift(), queue.shift(), queue.shift()]).toEqual(['greedy', 'modest', 'greedy'])
})

test('a drained queue is empty', () => {
  const queue = createFairQueue<number>()
  queue.push('a', 1)
  queue.push('b', 2)
  queue.push('a', 3)
  expect(queue.drain()).toEqual([1, 3, 2])
  expect(queue.size).toBe(0)
  expect(queue.shift()).toBeUndefined()
})
