import { expect, test } from 'vitest'
import { TestClock } from '../../test-support/clock.ts'
import { useEmptiedDatabase } from '../../test-support/database.ts'
import { healthSources, idleSchedule } from '../../test-support/health.ts'
import { Life, mortalDatabase, Traffic } from '../../test-support/simulator/mortal.ts'
import { fallibleDatabase } from '../../test-support/simulator/world/fallible-database.ts'
import { Leadership } from '../scheduling/leadership/leadership.ts'
import { FactCollector } from './facts/collect-facts.ts'
import { HealthWatch } from './health-watch.ts'

const database = useEmptiedDatabase()

test('the leader tells that a PostgreSQL which still answers takes no writes any more', async () => {
  const faults = { isSilent: false, refusesCommits: false }
  const traffic = new Traffic()
  const observed = mortalDatabase(database.db, new Life(), traffic)
  // A PostgreSQL: on the embedded database leadership needs no lease.
  const db = fallibleDatabase({ ...observed, kind: 'postgresql' }, faults)
  const clock = new TestClock(Date.now(), () => traffic.settled())
  const quiet = { info: () => undefined, error: () => undefined, warn: () => undefined }
  const leadership = new Leadership({
    db,
    clock,
    log: quiet,
    role: 'scheduler',
    holder: 'this server',
    onGained: () => Promise.resolve(),
    onLost: () => Promise.resolve(),
  })
  await leadership.start()
  expect(leadership.isLeading()).toBe(true)
  const looks: { codes: string[]; mayTell: boolean; reason: string | undefined }[] = []
  const schedule = () => idleSchedule({ leading: leadership.isLeading(), leaseFault: leadership.fault() ?? null })
  const health = new HealthWatch({
    clock,
    collector: new FactCollector(healthSources(db, clock, { schedule })),
    alerts: {
      look: ({ troubles, mayTell }) => {
        looks.push({ codes: troubles.map(({ code }) => code), mayTell, reason: troubles[0]?.reason ?? undefined })
        return Promise.resolve()
      },
      wasSuspended: () => undefined,
    },
    prepare: () => Promise.resolve(),
    onChange: () => undefined,
    log: quiet,
  })
  await health.start()
  await clock.advance(30_000)
  expect(looks.at(-1)).toEqual({ codes: [], mayTell: true, reason: undefined })
  faults.refusesCommits = true
  await clock.advance(180_000)
  await health.stop()
  faults.refusesCommits = false
  await leadership.stop()
  expect(looks.at(-1)).toEqual({
    codes: ['NO_SCHEDULER'],
    mayTell: true,
    reason: expect.stringContaining('No space left on device') as string,
  })
}, 60_000)
