import { expect, it } from 'vitest'
import type { SendOutcome } from '../channels/index.ts'
import { planAfter } from './retry-plan.ts'

const minute = 60_000

/** Minutes for which a notification is tried when every attempt ends like this. */
function triedFor(outcome: SendOutcome): { attempts: number; minutes: number } {
  let now = 0
  for (let attempt = 1; ; attempt++) {
    const { retryInMs } = planAfter(outcome, attempt, now)
    if (retryInMs === undefined) return { attempts: attempt, minutes: now / minute }
    now += retryInMs
  }
}

const refused: SendOutcome = { accepted: false, retryable: true, response: 'no' }

it('a receiver that answers with an error gets five retries, 20 s apart', () => {
  expect(triedFor({ ...refused, status: 503 })).toEqual({ attempts: 6, minutes: 100 / 60 })
})

it('a page that reached nobody outlives an hour without a network', () => {
  const { attempts, minutes } = triedFor(refused)
  expect(minutes).toBeGreaterThan(100)
  expect(minutes).toBeLessThan(180)
  expect(attempts).toBe(21)
})

it('a page that can never be sent is given up at once', () => {
  expect(triedFor({ ...refused, retryable: false })).toEqual({ attempts: 1, minutes: 0 })
})

it.each([3600, 1e9, Infinity])('a receiver that asks for a pause of %d s gets one of an hour at most', (seconds) => {
  const limited: SendOutcome = { ...refused, status: 429, rateLimited: { retryAfterMs: seconds * 1000 } }
  expect(planAfter(limited, 1, 0)).toMatchObject({ status: 'IN_PROGRESS', retryInMs: 60 * minute })
})
