import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../db/database.ts'
import { useDatabase } from '../../../test-support/database.ts'
import { Life, mortalClock, mortalDatabase, Traffic } from '../../../test-support/simulator/mortal.ts'
import { TermOver } from '../../runs.ts'
import { Leadership } from './leadership.ts'
import { readLease, takeLease } from './store.ts'
import { TestClock } from '../../../test-support/clock.ts'

const database = useDatabase()
let role: string
let clock: TestClock
let db: Database
let traffic: Traffic

beforeEach(() => {
  role = `role-${randomUUID()}`
  // As on PostgreSQL, where only the lease separates processes.
  db = { ...database.db, kind: 'postgresql' }
  traffic = new Traffic()
  clock = new TestClock(undefined, () => traffic.settled())
})

interface Candidate {
  leadership: Leadership
  terms: { epoch: number; watermark: number | undefined }[]
  losses: number
  errors: number
  /** Its process is killed. */
  die(): void
}

function candidate(more: { clock?: TestClock; db?: Database } = {}): Candidate {
  const life = new Life()
  const one: Candidate = {
    terms: [],
    losses: 0,
    errors: 0,
    leadership: undefined as unknown as Leadership,
    die: () => life.die(),
  }
  one.leadership = new Leadership({
    db: mortalDatabase(more.db ?? db, life, traffic),
    clock: mortalClock(more.clock ?? clock, life),
    role,
    holder: randomUUID(),
    log: { info: () => undefined, error: () => void one.errors++ },
    onGained: (term) => {
      one.terms.push(term)
      return Promise.resolve()
    },
    onLost: () => {
      one.losses++
      return Promise.resolve()
    },
  })
  return one
}

const noop = () => Promise.resolve()

describe('leadership', () => {
  it('belongs to the first, for as long as it renews', async () => {
    const [a, b] = [candidate(), candidate()]
    await a.leadership.start()
    await b.leadership.start()
    await clock.advance(20_000)
    expect([a.leadership.isLeading(), b.leadership.isLeading()]).toEqual([true, false])
    expect([a.terms.length, a.losses, b.terms.length]).toEqual([1, 0, 0])
  })

  it.each([5000, 5100, 5240, 5400])(
    'passes to a standby within three seconds after the leader vanished (after %i ms), with a new epoch',
    async (diesAfterMs) => {
      const [a, b] = [candidate(), candidate()]
      await a.leadership.start()
      await b.leadership.start()
      await clock.advance(diesAfterMs)
      a.die()
      await clock.advance(3000)
      expect(b.leadership.isLeading()).toBe(true)
      expect(b.terms[0]?.epoch).toBeGreaterThan(a.terms[0]!.epoch)
    },
  )

  it('is doubtful after the machine was suspended, which stops the monotonic clock, until it is renewed', async () => {
    const a = candidate()
    await a.leadership.start()
    clock.setWall(60_000)
    expect(a.leadership.isLeading()).toBe(false)
    await clock.advance(500)
    expect([a.leadership.isLeading(), a.losses]).toEqual([true, 0])
  })

  it('ends in time by the monotonic clock when the wall clock is set back', async () => {
    const a = candidate()
    await a.leadership.start()
    clock.setWall(-3_600_000)
    expect(a.leadership.isLeading()).toBe(true)
    clock.jump(2000)
    expect(a.leadership.isLeading()).toBe(false)
  })

  it('is not taken by a standby whose wall clock leaps while the leader renews', async () => {
    const [a, b] = [candidate(), candidate()]
    await a.leadership.start()
    await b.leadership.start()
    await clock.advance(1000)
    clock.setWall(3_600_000)
    await clock.advance(5000)
    expect([a.leadership.isLeading(), b.terms.length]).toEqual([true, 0])
  })

  it('passes on at once when the leader steps down', async () => {
    const [a, b] = [candidate(), candidate()]
    await a.leadership.start()
    await b.leadership.start()
    await a.leadership.stop()
    await clock.advance(1000)
    expect([a.losses, b.leadership.isLeading()]).toEqual([1, true])
  })

  it('is taken by exactly one when several find it free', async () => {
    const all = Array.from({ length: 5 }, () => candidate())
    await Promise.all(all.map((one) => one.leadership.start()))
    await clock.advance(10_000)
    expect(all.filter((one) => one.leadership.isLeading())).toHaveLength(1)
    expect(all.flatMap((one) => one.terms)).toHaveLength(1)
  })

  it('does not depend on the clocks of two hosts agreeing', async () => {
    const a = candidate()
    const early = new TestClock(clock.now() + 3_600_000, noop)
    const b = candidate({ clock: early })
    await a.leadership.start()
    await b.leadership.start()
    for (let second = 0; second < 20; second++) {
      await clock.advance(1000)
      await early.advance(1000)
      await clock.advance(0)
    }
    expect([a.leadership.isLeading(), b.leadership.isLeading()]).toEqual([true, false])
  })

  it('fences a leader that slept: its writes are refused, its successor’s are not', async () => {
    const [a, b] = [candidate(), candidate()]
    const asleep = new TestClock(clock.now(), noop)
    const sleeper = candidate({ clock: asleep })
    await sleeper.leadership.start()
    await b.leadership.start()
    await clock.advance(6000)
    expect(b.leadership.isLeading()).toBe(true)
    // Its own term has not expired, but the row has another epoch.
    expect(sleeper.leadership.isLeading()).toBe(true)
    await expect(sleeper.leadership.write(noop)).rejects.toBeInstanceOf(TermOver)
    await expect(db.transaction((client) => sleeper.leadership.fence()!(client))).rejects.toBeInstanceOf(TermOver)
    await expect(db.transaction((client) => a.leadership.fence()!(client))).rejects.toBeInstanceOf(TermOver)
    await expect(db.transaction((client) => b.leadership.fence()!(client))).resolves.toBeUndefined()
    await expect(b.leadership.write(() => Promise.resolve('written'))).resolves.toBe('written')
    await expect(a.leadership.write(noop)).rejects.toBeInstanceOf(TermOver)
    asleep.jump(6000)
    expect(sleeper.leadership.isLeading()).toBe(false)
    await asleep.advance(1000)
    await clock.advance(0)
    expect(sleeper.losses).toBe(1)
  })

  it('goes on after a sleep in which nobody took over', async () => {
    const a = candidate()
    await a.leadership.start()
    clock.jump(60_000)
    expect(a.leadership.isLeading()).toBe(false)
    await clock.advance(1000)
    expect([a.leadership.isLeading(), a.losses, a.terms.length]).toEqual([true, 0, 1])
  })

  it('ends when the database was away for longer than the lease, and begins anew after that', async () => {
    let away = false
    const flaky = {
      ...db,
      pool: {
        query: (...args: unknown[]) =>
          away
            ? Promise.reject(new Error('The database is away.'))
            : (db.pool.query as (...all: unknown[]) => Promise<unknown>)(...args),
      } as never,
    }
    const a = candidate({ db: flaky })
    await a.leadership.start()
    away = true
    await clock.advance(1000)
    expect(a.leadership.isLeading()).toBe(true)
    await clock.advance(3000)
    expect([a.leadership.isLeading(), a.losses]).toEqual([false, 1])
    expect([a.leadership.fault(), a.errors]).toEqual(['The database is away.', 1])
    away = false
    await clock.advance(6000)
    expect(a.leadership.fault()).toBeUndefined()
    expect([a.leadership.isLeading(), a.terms.length]).toEqual([true, 2])
  })

  it('stores a watermark only while its term lasts', async () => {
    const [a, b] = [candidate(), candidate()]
    await a.leadership.start()
    await a.leadership.writeWatermark(clock.now())
    expect(await readLease(db.pool, role)).toMatchObject({ watermark: clock.now() })
    const seen = await readLease(db.pool, role)
    if (seen === undefined) throw new Error('There is no lease.')
    await db.transaction((client) => takeLease(client, role, { seen, holder: 'another', expiresAt: 0 }))
    await expect(a.leadership.writeWatermark(clock.now() + 1000)).rejects.toThrow(TermOver)
    await expect(b.leadership.writeWatermark(clock.now() + 1000)).rejects.toThrow(TermOver)
    expect((await readLease(db.pool, role))?.watermark).toBe(seen.watermark)
  })

  it('is taken again at once on the embedded database, whose lock keeps others out', async () => {
    const embedded = { ...db, kind: 'embedded' as const }
    const a = candidate({ db: embedded })
    await a.leadership.start()
    a.die()
    const b = candidate({ db: embedded })
    await b.leadership.start()
    expect(b.leadership.isLeading()).toBe(true)
  })
})
