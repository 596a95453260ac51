import type { Health } from '@vedette/wire'
import { expect, test } from 'vitest'
import { bannerOf, canWatch } from './health-view.ts'

const trouble = {
  code: 'DISK_NEARLY_FULL',
  severity: 'warning',
  subject: 'Vedette',
  title: 'The disk is nearly full',
  text: '1 GiB of 100 GiB are free.',
  advice: 'Make room.',
  reason: null,
  since: '2026-01-05T12:00:00.000Z',
} as const
const health = (troubles: Health['troubles'], ready = true) => ({ ready, troubles }) as Health
const read = (data: Health) => ({ data, error: null, dataUpdatedAt: Date.UTC(2026, 0, 5, 12) })

test('while all is well, and before the first answer, there is no banner', () => {
  expect(bannerOf(read(health([])))).toBeUndefined()
  expect(bannerOf({ error: null, dataUpdatedAt: 0 })).toBeUndefined()
})

test('the worst trouble is shown with how many there are besides', () => {
  const critical = { ...trouble, code: 'NO_AGENT', severity: 'critical', title: 'No agent is connected' } as const
  expect(bannerOf(read(health([critical, trouble], false)))).toMatchObject({
    state: 'failing',
    title: 'No agent is connected',
    others: 1,
  })
  expect(canWatch(read(health([critical], false)))).toBe(false)
  expect(canWatch(read(health([trouble])))).toBe(true)
})

test('a signal that cannot be read is said, whatever was read before', () => {
  const error = new Error('The server did not answer')
  const unread = { ...read(health([])), error }
  expect(bannerOf(unread)).toMatchObject({
    state: 'unknown',
    title: 'The health of Vedette cannot be read',
    advice: expect.stringContaining('The server did not answer. ') as string,
    since: '2026-01-05T12:00:00.000Z',
    sinceWord: 'last read',
  })
  expect(bannerOf({ error, dataUpdatedAt: 0 })).toMatchObject({ state: 'unknown', since: undefined })
  expect(canWatch(unread)).toBe(false)
})

test('a standby that has not heard from its leader does not know, and the states are those last known', () => {
  const unheard = read(
    health([{ ...trouble, code: 'LEADER_NOT_HEARD', title: 'Whether checks run is not known here' }]),
  )
  expect(bannerOf(unheard)).toMatchObject({ state: 'unknown' })
  expect(canWatch(unheard)).toBe(false)
})
