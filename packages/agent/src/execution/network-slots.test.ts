import { expect, test } from 'vitest'
import { networkSlots } from './network-slots.ts'
import { openFilesIn, processBounds } from './process-bounds.ts'

const gigabyte = 1024 ** 3
const roomy = { descriptors: 1_048_576, memory: 4 * gigabyte }

test('a usual machine has room for a mass outage', () => {
  expect(networkSlots(null, roomy)).toEqual({ slots: 4000, boundBy: undefined })
  expect(networkSlots(null, { descriptors: 65_536, memory: gigabyte }).slots).toBe(4000)
  expect(networkSlots(null, { descriptors: 65_536, memory: gigabyte / 2 }).slots).toBeGreaterThanOrEqual(2000)
})

test('few descriptors bound the runs, whatever was set, and it is said', () => {
  const few = { ...roomy, descriptors: 1024 }
  expect(networkSlots(null, few)).toEqual({ slots: 384, boundBy: '1024 open files are allowed' })
  expect(networkSlots(5000, few)).toEqual({ slots: 384, boundBy: '1024 open files are allowed' })
})

test('little memory bounds the default and not what was set', () => {
  const little = { ...roomy, memory: gigabyte / 4 }
  expect(networkSlots(null, little)).toEqual({ slots: 1024, boundBy: '256 MB of memory may be used' })
  expect(networkSlots(3000, little)).toEqual({ slots: 3000, boundBy: undefined })
})

test('what was set counts, however small', () => {
  expect(networkSlots(7, roomy).slots).toBe(7)
  expect(networkSlots(7, { descriptors: 64, memory: gigabyte }).slots).toBe(7)
  expect(networkSlots(null, { descriptors: 64, memory: gigabyte }).slots).toBe(20)
})

test('without a limit of descriptors memory alone counts', () => {
  expect(networkSlots(null, { ...roomy, descriptors: null }).slots).toBe(4000)
})

test('the limits of this process can be read', () => {
  expect(openFilesIn('Limit   Soft Limit  Hard Limit  Units\nMax open files            1024   4096  files\n')).toBe(
    1024,
  )
  expect(openFilesIn('Max open files            unlimited            unlimited            files\n')).toBeNull()
  const { descriptors, memory } = processBounds()
  expect(memory).toBeGreaterThan(0)
  expect(descriptors === null || descriptors > 0).toBe(true)
})
