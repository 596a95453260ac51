import { expect, it } from 'vitest'
import type { SendOutcome } from '../channels/index.ts'
import { planAfter } from './retry-plan.ts'

const minute = 60_000

/** Minutes for which a notification is tried when every attempt ends like this. */
function triedFor(outcome: SendOutcome): { attempts: number; minutes: number } {
  let now = 0
  for (let attempt = 1; ; attempt++) {
    const { nextAttemptAt } = planAfter(outcome, attempt, now)
    if (nextAttemptAt === undefined) return { attempts: attempt, minutes: now / minute }
    now = nextAttemptAt
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
