import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { Pieces } from './pieces.ts'

it('pieces of any size become what they were cut from', () => {
  const bytes = randomBytes(300_000)
  const pieces = new Pieces()
  const sizes = [1, 4095, 4096, 70_000, 0, 3, 65_536, 2]
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    pieces.add(bytes.subarray(at, at + size))
    at += size
  }
  expect(pieces.whole().equals(bytes)).toBe(true)
})

it('a million crumbs are held by a few objects', () => {
  const pieces = new Pieces()
  const crumb = Buffer.from('x')
  for (let index = 0; index < 1_000_000; index += 1) pieces.add(crumb)
  expect(pieces.count).toBe(16)
  expect(pieces.whole().length).toBe(1_000_000)
})

it('one piece is not copied, and nothing is nothing', () => {
  const large = Buffer.alloc(5000)
  const pieces = new Pieces()
  expect(pieces.whole().length).toBe(0)
  pieces.add(large)
  expect(pieces.whole()).toBe(large)
})
