import { expect, test } from 'vitest'
import { TestClock } from '../../test-support/clock.ts'
import { healthyFacts } from '../../test-support/health.ts'
import type { HealthFacts } from './facts/facts.ts'
import { HealthWatch, type HealthWatchOptions } from './health-watch.ts'

type Told = Parameters<HealthWatchOptions['alerts']['look']>[0]

/** What is passed on to the alerts, look by look. */
async function looksAt(...sequence: Partial<HealthFacts>[]): Promise<Told[]> {
  const clock = new TestClock()
  const looks: Told[] = []
  const left = sequence.map((changes) => ({ ...healthyFacts(), ...changes }))
  const health = new HealthWatch({
    clock,
    collector: { collect: () => Promise.resolve(left.shift() ?? healthyFacts()) },
    alerts: {
      look: (look) => Promise.resolve(void looks.push(look)),
      wasSuspended: () => undefined,
    },
    prepare: () => Promise.resolve(),
    onChange: () => undefined,
    log: { error: () => undefined },
  })
  await health.start()
  await clock.advance(5000 * (sequence.length - 1))
  await health.stop()
  return looks
}

test('a server goes on to tell after it lost the lead, until another is seen to lead', async () => {
  const lost = { leading: false }
  const other = { leading: false, otherLeads: true }
  const looks = await looksAt({}, lost, other, lost)
  expect(looks.map(({ mayTell, leading }) => [mayTell, leading])).toEqual([
    [true, true],
    [true, false],
    [false, false],
    [false, false],
  ])
})

test('a server that never led tells nothing', async () => {
  const looks = await looksAt({ leading: false }, { leading: false })
  expect(looks.map(({ mayTell }) => mayTell)).toEqual([false, false])
})

test('what is told needs no new row while results cannot be stored, or the outbox is not looked at', async () => {
  const looks = await looksAt(
    {},
    { ingest: { commitAgeMs: 1, failingMs: 1, reason: 'full', works: false } },
    { deliveryRoundMs: 31_000 },
  )
  expect(looks.map(({ outboxWorks }) => outboxWorks)).toEqual([true, false, false])
})
