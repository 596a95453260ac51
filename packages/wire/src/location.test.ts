import { describe, expect, test } from 'vitest'
import { isPrivateLocation, isRegion, locationIdSchema, privateLocationId, uuidOfLocation } from './location.ts'

const uuid = '11111111-2222-4333-8444-555555555555'

describe('the identity of a location', () => {
  test('is a region or the id of a private location', () => {
    expect(locationIdSchema.parse('eu-west-1')).toBe('eu-west-1')
    expect(locationIdSchema.parse(`pl_${uuid}`)).toBe(`pl_${uuid}`)
  })

  test.each(['office', 'pl_office', 'moon-1', uuid, '', 7])('is not %j', (value) => {
    expect(locationIdSchema.safeParse(value).success).toBe(false)
  })

  test('of a private location is made of its row, and leads back to it', () => {
    const id = privateLocationId(uuid)
    expect(isPrivateLocation(id)).toBe(true)
    expect(isRegion(id)).toBe(false)
    expect(uuidOfLocation(id)).toBe(uuid)
  })
})
