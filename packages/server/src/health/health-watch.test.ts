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

test('a server that never led tells nothing while another leads, or may', async () => {
  const away = { answers: false, silentMs: 120_000, reason: null }
  const looks = await looksAt(
    { leading: false },
    { leading: false, otherLeads: true, leaderlessMs: 0 },
    { leading: false, leaderlessMs: 120_000, database: away },
  )
  expect(looks.map(({ mayTell }) => mayTell)).toEqual([false, false, false])
})

test('a server that was started while the lease cannot be taken tells that nobody schedules', async () => {
  const leaderless = { leading: false, leaseFault: 'cannot execute INSERT in a read-only transaction' }
  const looks = await looksAt({ ...leaderless, leaderlessMs: 59_000 }, { ...leaderless, leaderlessMs: 60_000 })
  expect(looks.map(({ mayTell }) => mayTell)).toEqual([false, true])
  expect(looks.at(-1)?.troubles.map(({ code }) => code)).toContain('NO_SCHEDULER')
})

test('what is told needs no new row while results cannot be stored, or the outbox is not looked at', async () => {
  const looks = await looksAt(
    {},
    { ingest: { commitAgeMs: 1, failingMs: 1, reason: 'full', works: false } },
    { deliveryRoundMs: 31_000 },
  )
  expect(looks.map(({ outboxWorks }) => outboxWorks)).toEqual([true, false, false])
})
