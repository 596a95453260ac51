import { expect, test } from 'vitest'
import { muteChoices } from './mute-choices.ts'

test('tomorrow is the next day of this device, also at the end of a month and late at night', () => {
  const late = new Date(2026, 0, 31, 23, 59)
  const [hour, morning, forGood] = muteChoices(late)
  expect(hour?.until).toBe(late.getTime() + 3_600_000)
  expect(new Date(morning?.until ?? 0)).toEqual(new Date(2026, 1, 1, 9, 0))
  expect(forGood?.until).toBeNull()
})
