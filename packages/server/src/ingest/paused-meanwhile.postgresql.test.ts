import { beforeEach, expect, test } from 'vitest'
import { redefine, type GivenCheck } from '../../test-support/checks.ts'
import { letPromisesRun } from '../../test-support/clock.ts'
import { useDatabase } from '../../test-support/database.ts'
import { useIngest } from '../../test-support/ingest.ts'
import { incomingResult, type ResultParts } from '../../test-support/results.ts'
import { endEpisodes } from '../alerting/episodes/episode-store.ts'
import type { Database } from '../db/database.ts'

const database = useDatabase()
const failed: string[] = []
const noting = (db: Database): Database =>
  Object.assign(Object.create(db) as Database, {
    transaction: ((work, options) =>
      db.transaction(work, options).catch((error: Error) => {
        failed.push(error.message)
        throw error
      })) satisfies Database['transaction'],
  })
const setup = useIngest(database, { over: noting })
let first: GivenCheck
let last: GivenCheck

beforeEach(async () => {
  failed.length = 0
  const made = [await setup.given(), await setup.given()]
  ;[first, last] = made.toSorted((a, b) => (a.id < b.id ? -1 : 1)) as [GivenCheck, GivenCheck]
})

const store = async (...results: [GivenCheck, number, ResultParts][]) => {
  let isStored = false
  const answer = setup.ingest
    .accept(
      results.map(([check, second, parts]) =>
        incomingResult(check, setup.now + second * 1000, { receivedAt: setup.now, ...parts }),
      ),
    )
    .finally(() => (isStored = true))
  while (!isStored) {
    await setup.clock.advance(300)
    await letPromisesRun()
  }
  expect((await answer).accepted).toHaveLength(results.length)
}

/** What a pause of both checks does, in the order of their ids, while a batch of results is stored. */
async function pauseBothWhile(stored: () => Promise<void>): Promise<void> {
  let storing: Promise<void> | undefined
  await database.db.transaction(async (client) => {
    const pause = async ({ id }: GivenCheck) => {
      await client.query('SELECT 1 FROM checks WHERE id = $1 FOR UPDATE', [id])
      await endEpisodes(client, [id], new Date(setup.now))
    }
    await pause(first)
    storing = stored()
    await someoneWaits()
    await pause(last)
  })
  await storing
}

async function someoneWaits(): Promise<void> {
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  while ((await database.db.pool.query(waiting)).rows.length === 0) await letPromisesRun()
}

const fails = { outcome: 'fail' } as const

test.each([
  ['begins trouble of the first check and ends that of the last', () => last, () => first],
  ['begins trouble of the last check and ends that of the first', () => first, () => last],
])('a batch that %s waits for a pause of both, and neither is undone', async (_, ends, begins) => {
  await store([ends(), 0, fails])
  await pauseBothWhile(() => store([ends(), 60, {}], [begins(), 60, fails]))
  expect(failed).toEqual([])
})

test('a batch that retries the last check and begins trouble of the first waits too', async () => {
  await redefine(database, last, { doubleCheck: true })
  await pauseBothWhile(() => store([last, 60, fails], [first, 60, fails]))
  expect(failed).toEqual([])
})
