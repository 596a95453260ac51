import type { ReportBody } from '@vedette/checks/run'
import { completeRetryStrategy, dueAt, slotAtOrAfter, staleAfterMs, type Job, type PlannedCheck } from '@vedette/wire'
import { sealingKeys } from '@vedette/wire/sealing'
import { beforeEach, expect, test } from 'vitest'
import { givenManualClock } from '../../test-support/clocks.ts'
import { plannedCheckFor } from '../../test-support/plans.ts'
import { finishedRun, internalErrorReport, type FinishedRun } from '../delivery/report-text.ts'
import { OwnRetries } from './own-retries.ts'

const keys = sealingKeys()
const twice = completeRetryStrategy({ type: 'FIXED', baseBackoffSeconds: 20, maxRetries: 2, maxDurationSeconds: 60 })

let clock: ReturnType<typeof givenManualClock>
let world: { isServerThere: boolean; hasPlan: boolean; hasRoom: boolean; isHeld: boolean }
let jobs: Job[]
let told: FinishedRun[]
let retries: OwnRetries

beforeEach(() => {
  clock = givenManualClock()
  world = { isServerThere: false, hasPlan: true, hasRoom: true, isHeld: false }
  jobs = []
  told = []
  retries = new OwnRetries({
    keys,
    clock,
    clockOffset: () => 0,
    isServerThere: () => world.isServerThere,
    hasPlan: () => world.hasPlan,
    hasRoom: () => world.hasRoom,
    submit: (job) => !world.isHeld && jobs.push(job) > 0,
    deliver: (run) => told.push(run),
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  })
})

/** The run of a slot that is due now begins. */
function begin(changes: Partial<PlannedCheck> = {}): void {
  const check = plannedCheckFor(keys.publicKey, { retryStrategy: twice, ...changes })
  const due = dueAt(check, slotAtOrAfter(check, clock.now()))
  clock.advance(due - clock.now())
  retries.begin({ check, dueAt: due, attempt: 0 })
}

const internalError = internalErrorReport('AGENT_ERROR', 'Out of memory.')

/** The newest attempt ends a second after it began. */
function end(outcome: 'pass' | 'fail' | 'unknown', network = true): void {
  const job = jobs.at(-1)
  if (job === undefined) throw new Error('Nothing was begun.')
  const startedAt = clock.now()
  clock.advance(1000)
  const error = outcome === 'fail' ? { phase: 'tcp', code: 'ECONNREFUSED', text: 'refused', network } : null
  const verdict: ReportBody['verdict'] = { ...internalError.verdict, outcome }
  const body: ReportBody = { ...internalError, startedAt, stoppedAt: clock.now(), verdict, error, internalError: null }
  retries.ended(job, finishedRun({ ...job, clockOffsetMs: 0 }, outcome === 'unknown' ? internalError : body))
}

const saidOf = ({ lease, report }: FinishedRun) => {
  const { verdict, retried } = JSON.parse(report) as { verdict: { outcome: string }; retried?: boolean }
  return [lease.split('.').slice(4).join() || '0', verdict.outcome, retried]
}

test('a failed run is retried after its back-off, and told as a whole when it has ended', () => {
  begin()
  end('fail')
  expect(told).toEqual([])
  expect(retries.waiting()).toEqual([jobs[0]?.checkId])
  expect(retries.held()).toMatchObject([{ attemptId: jobs[0]?.attemptId }])
  clock.advance(19_999)
  expect(jobs).toHaveLength(1)
  clock.advance(1)
  expect(jobs[1]).toMatchObject({ attempt: 1, dueAt: jobs[0]?.dueAt, lease: `${jobs[0]?.lease}.1` })
  end('pass')
  expect(told.map(saidOf)).toEqual([
    ['0', 'fail', true],
    ['1', 'pass', false],
  ])
  expect([retries.waiting(), retries.held()]).toEqual([[], []])
})

test('it fails when its last attempt fails, and is not known when that says nothing', () => {
  for (const last of ['fail', 'unknown'] as const) {
    begin()
    for (const outcome of ['fail', 'fail', last] as const) {
      end(outcome)
      clock.advance(20_000)
    }
    expect(told.splice(0).map(saidOf)).toEqual([
      ['0', 'fail', true],
      ['1', 'fail', true],
      ['2', last, false],
    ])
  }
})

test.each<[string, Partial<PlannedCheck>, 'pass' | 'fail' | 'unknown', boolean]>([
  ['a run that passes', {}, 'pass', false],
  ['one that says nothing', {}, 'unknown', false],
  ['one of a check without retries', { retryStrategy: null }, 'fail', true],
  ['one of a server that plans no retries', { retryStrategy: undefined }, 'fail', true],
  ['an answer where network errors count', { retryStrategy: { ...twice, onlyOn: ['NETWORK_ERROR'] } }, 'fail', false],
  ['one that would last too long', { retryStrategy: { ...twice, maxDurationSeconds: 20 } }, 'fail', true],
])('%s is told at once and not retried', (_, check, outcome, network) => {
  begin(check)
  end(outcome, network)
  expect(told.map(saidOf)).toEqual([['0', outcome, undefined]])
  expect(retries.waiting()).toEqual([])
})

test('while a server is there it decides, but for a run that is too old for it', () => {
  world.isServerThere = true
  begin()
  end('fail')
  expect(told.splice(0).map(saidOf)).toEqual([['0', 'fail', undefined]])
  begin()
  clock.advance(staleAfterMs)
  end('fail')
  expect(told).toEqual([])
  expect(retries.waiting()).toHaveLength(1)
})

test('a retry waits for room', () => {
  begin()
  end('fail')
  world.hasRoom = false
  clock.advance(25_000)
  expect(jobs).toHaveLength(1)
  world.hasRoom = true
  clock.advance(500)
  expect(jobs).toHaveLength(2)
})

test('after the key was refused nothing is retried, and the server has the last word on what failed', () => {
  begin()
  end('fail')
  world.hasPlan = false
  clock.advance(20_000)
  expect(jobs).toHaveLength(1)
  expect(told.map(saidOf)).toEqual([['0', 'fail', undefined]])
})

test('when the agent stops, what was found out so far is told, and later ends as well', () => {
  begin()
  end('fail')
  begin()
  retries.stop()
  end('fail')
  expect(told.map(saidOf)).toEqual([
    ['0', 'fail', undefined],
    ['0', 'fail', undefined],
  ])
  clock.advance(60_000)
  expect(jobs).toHaveLength(2)
})

test('an attempt that was cancelled or handed back leaves nothing behind', () => {
  begin()
  end('fail')
  clock.advance(20_000)
  const [, second] = jobs
  if (second !== undefined) retries.ended(second, undefined)
  expect(told.map(saidOf)).toEqual([['0', 'fail', undefined]])
  expect([retries.held(), retries.waiting(), retries.hasBegun(second?.attemptId ?? '')]).toEqual([[], [], false])
})

test('an attempt that the agent has already is not begun again, and runs of others are told at once', () => {
  world.isHeld = true
  begin()
  expect(jobs).toEqual([])
  world.isHeld = false
  begin()
  const job = { ...(jobs[0] as Job), attemptId: '019b8e2e-fa28-8f79-ba72-978e80a0f138' }
  retries.ended(job, finishedRun({ ...job, clockOffsetMs: 0 }, internalError))
  expect(told).toHaveLength(1)
})
