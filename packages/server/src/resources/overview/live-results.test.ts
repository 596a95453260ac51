import type { LiveEvent } from '@vedette/wire'
import { beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../../test-support/database.ts'
import { useIngest } from '../../../test-support/ingest.ts'
import { givenPrivateLocation } from '../../../test-support/private-locations.ts'
import { incomingResult, type ResultParts } from '../../../test-support/results.ts'
import { readLocationsById } from '../../locations/store.ts'
import { overviewStore } from './store.ts'
import { liveHub } from '../../live/hub.ts'
import { publishCommitted } from '../../live/publish-committed.ts'

const database = useDatabase()
const at = useIngest(database)
const minute = 60_000

type ResultEvent = Extract<LiveEvent, { kind: 'result' }>
let events: ResultEvent[]

beforeEach(() => {
  events = []
  const hub = liveHub()
  hub.subscribe(at.accountId, (event) => event.kind === 'result' && events.push(event))
  at.ingest.onCommitted(
    (results) => void publishCommitted(hub, results, (ids) => readLocationsById(database.db.pool, ids)),
  )
})

async function overviewRow() {
  const filter = { accountId: at.accountId, nowMs: at.clock.now(), tags: [], types: [], states: [] }
  const [row] = await overviewStore(database.db).page(filter, { sort: 'trouble', limit: 1, page: 1 })
  if (!row) throw new Error('The account has no check.')
  return row
}

/** Stores results in one transaction. Returns the last event, after a look at what the overview shows now. */
async function take(check: { id: string; accountId: string }, ...results: [minutes: number, parts?: ResultParts][]) {
  const before = events.length
  await at.take(results.map(([minutes, parts]) => incomingResult(check, at.now + minutes * minute, parts)))
  await expect.poll(() => events.length).toBe(before + results.length)
  const event = events.at(-1) as ResultEvent
  const { state, stateSince, cause, failingLocations, lastPassAt } = await overviewRow()
  expect(event).toMatchObject({ state, stateSince, cause, failingLocations, lastPassAt })
  return event
}

test('the event of a result says what the overview shows of the check after it', async () => {
  const office = await givenPrivateLocation(database.db, at.accountId, 'office')
  const check = await at.given({
    privateLocations: [office],
    retryStrategy: { type: 'SINGLE_RETRY', baseBackoffSeconds: 0, sameRegion: true },
  })
  const passed = await take(check, [-5])
  expect(passed).toMatchObject({ previousState: 'pending', state: 'passing', attempts: 0 })
  const attempt = await take(check, [-4, { outcome: 'fail', location: office }])
  expect(attempt).toMatchObject({ resultType: 'ATTEMPT', previousState: 'passing', state: 'passing', cause: null })
  const failed = await take(check, [-4, { outcome: 'fail', attempt: 1, location: office }])
  expect(failed).toMatchObject({
    attempts: 1,
    previousState: 'passing',
    state: 'failing',
    failingLocations: ['office'],
  })
  const late = await take(check, [-5.5, { outcome: 'pass' }])
  expect(late).toMatchObject({ outcome: 'pass', previousState: 'failing', state: 'failing' })
  const recovered = await take(check, [-3, { outcome: 'fail', attempt: 1 }], [-2, { degraded: true }])
  expect(recovered).toMatchObject({ previousState: 'failing', state: 'degraded' })
})

test('a check that had no good result for long is not known before the next one, and after one that says nothing', async () => {
  const check = await at.given()
  await take(check, [-20])
  expect((await overviewRow()).state).toBe('unknown')
  const unknown = await take(check, [-19, { outcome: 'unknown' }])
  expect(unknown).toMatchObject({ previousState: 'unknown', state: 'unknown' })
  expect(await take(check, [0])).toMatchObject({ previousState: 'unknown', state: 'passing' })
})

test('the last runs of a check that was paused, or cannot run, leave it as it is shown', async () => {
  const check = await at.given()
  const set = (sql: string) => database.db.pool.query(`UPDATE checks SET ${sql} WHERE id = $1`, [check.id])
  await set('activated = false')
  expect(await take(check, [-1])).toMatchObject({ previousState: 'paused', state: 'paused' })
  await set(`activated = true, not_runnable = 'no'`)
  expect(await take(check, [0, { outcome: 'fail' }])).toMatchObject({ previousState: 'unknown', state: 'unknown' })
})

test('a result that is delivered again is announced with what is shown now', async () => {
  const check = await at.given()
  await take(check, [-2])
  await take(check, [-1, { outcome: 'fail' }])
  expect(await take(check, [-2])).toMatchObject({ outcome: 'pass', previousState: 'failing', state: 'failing' })
})
