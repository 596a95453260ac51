import { QueryClient, QueryObserver } from '@tanstack/react-query'
import type { OverviewRow } from '@vedette/wire'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eventSink, type EventSink } from './event-sink.ts'
import { forgetListChanges, listChanges } from './list-changes.ts'
import type { ResultEvent } from './patch-row.ts'

const start = Date.parse('2026-05-04T07:00:00Z')
const at = (seconds: number) => new Date(start + seconds * 1000).toISOString()

const checkId = '01a1fdf7-ef7e-842b-817f-5d23a067289e'
const key = ['overview', 'rows', {}, 0]

const runAt = (seconds: number, outcome: 'pass' | 'fail' = 'pass') => ({
  id: `result of ${seconds}`,
  at: at(seconds),
  outcome,
  degraded: false,
  ms: 5,
  location: 'eu-west-1',
  retries: 0,
})
const passing = {
  checkId,
  name: 'Shop',
  state: 'passing',
  stateSince: at(-600),
  cause: null,
  failingLocations: [],
  lastPassAt: at(0),
  lastRunAt: at(0),
  lastResultId: 'result of 0',
  periodMs: 10_000,
  mutedUntil: null,
  runs: [runAt(-10), runAt(0)],
} as Partial<OverviewRow> as OverviewRow

const failed = (seconds: number): ResultEvent => ({
  kind: 'result',
  checkId,
  resultId: `result of ${seconds}`,
  resultType: 'FINAL',
  outcome: 'fail',
  degraded: false,
  location: 'us-east-1',
  responseTime: 7,
  dueAt: at(seconds),
  attempts: 1,
  state: 'failing',
  previousState: 'passing',
  stateSince: at(seconds),
  cause: 'It broke',
  failingLocations: ['us-east-1'],
  lastPassAt: at(0),
})

let client: QueryClient
let sink: EventSink
let answer: () => Promise<OverviewRow[]>
let asked: number
let leave: () => void

beforeEach(async () => {
  vi.useFakeTimers({ now: start })
  client = new QueryClient()
  sink = eventSink(client)
  answer = () => Promise.resolve([passing])
  asked = 0
  const queryFn = () => {
    asked++
    return answer()
  }
  leave = new QueryObserver(client, { queryKey: key, queryFn }).subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(0)
})
afterEach(() => {
  forgetListChanges()
  leave()
  sink.close()
  vi.useRealTimers()
})

const row = () => client.getQueryData<OverviewRow[]>(key)?.[0]

test('a result changes its row, and nothing is read again', async () => {
  sink.take(failed(10))
  await vi.advanceTimersByTimeAsync(200)
  expect(row()).toMatchObject({ state: 'failing', cause: 'It broke', lastResultId: 'result of 10', lastMs: 7 })
  expect(row()?.runs.map(({ id }) => id)).toEqual(['result of -10', 'result of 0', 'result of 10'])
  expect(asked).toBe(1)
})

test('files of a result have those of its check read again, and the result', async () => {
  const read: string[] = []
  const keys = { files: ['assets', checkId, 'a'], result: ['result', 'a'], other: ['result', 'b'] }
  const leaving = Object.entries(keys).map(([name, queryKey]) =>
    new QueryObserver(client, { queryKey, queryFn: () => Promise.resolve(read.push(name)) }).subscribe(() => undefined),
  )
  await vi.advanceTimersByTimeAsync(0)
  read.length = 0
  sink.take({ kind: 'assets', checkId, resultId: 'a' })
  await vi.advanceTimersByTimeAsync(200)
  expect(read.toSorted()).toEqual(['files', 'result'])
  for (const each of leaving) each()
})

test('a result that arrives late stands among those of its time, and says what the check is all the same', async () => {
  sink.take({ ...failed(-5), stateSince: at(1) })
  await vi.advanceTimersByTimeAsync(200)
  expect(row()).toMatchObject({ state: 'failing', cause: 'It broke', lastResultId: 'result of 0', lastRunAt: at(0) })
  expect(row()?.runs.map(({ id }) => id)).toEqual(['result of -10', 'result of -5', 'result of 0'])
})

test('an answer that was made before a result, and arrives after it, does not take the result back', async () => {
  let send: (rows: OverviewRow[]) => void = () => undefined
  answer = () => new Promise((resolve) => (send = resolve))
  void client.invalidateQueries({ queryKey: key })
  await vi.advanceTimersByTimeAsync(0)
  sink.take(failed(10))
  await vi.advanceTimersByTimeAsync(200)
  send([passing])
  await vi.advanceTimersByTimeAsync(0)
  expect(row()).toMatchObject({ state: 'failing', lastResultId: 'result of 10' })
})

test('an answer that knows the newest result keeps what it says', async () => {
  sink.take(failed(-400))
  sink.take({ ...failed(10), outcome: 'pass', state: 'passing', previousState: 'failing', cause: null })
  await vi.advanceTimersByTimeAsync(200)
  const known = { ...passing, runs: [runAt(0), runAt(10)], lastResultId: 'result of 10' }
  answer = () => Promise.resolve([known])
  await client.invalidateQueries({ queryKey: key })
  expect(row()).toEqual(known)
})

test('rows whose results stay away have the list read again, and so have those whose mute is over', async () => {
  await vi.advanceTimersByTimeAsync(29_000)
  expect(listChanges()).toEqual(new Set())
  await vi.advanceTimersByTimeAsync(31_000)
  expect(listChanges()).toEqual(new Set([checkId]))

  const daily = { ...passing, periodMs: 86_400_000 }
  answer = () => Promise.resolve([{ ...daily, muted: true, mutedUntil: at(100) }])
  await client.invalidateQueries({ queryKey: key })
  forgetListChanges()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(listChanges()).toEqual(new Set())
  await vi.advanceTimersByTimeAsync(30_000)
  expect(listChanges()).toEqual(new Set([checkId]))
})
