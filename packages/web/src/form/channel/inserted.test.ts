import { expect, test } from 'vitest'
import { inserted } from './inserted.ts'

test('a variable stands where the cursor was, in place of what was selected, and the cursor behind it', () => {
  expect(inserted('{"text": ""}', { from: 10, to: 10 }, '{{X}}')).toEqual({ text: '{"text": "{{X}}"}', cursor: 15 })
  expect(inserted('say this', { from: 4, to: 8 }, '{{X}}')).toEqual({ text: 'say {{X}}', cursor: 9 })
  expect(inserted('', { from: 0, to: 0 }, '{{X}}')).toEqual({ text: '{{X}}', cursor: 5 })
})
