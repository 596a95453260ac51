import { randomUUID } from 'node:crypto'
import { sealingKeys } from '@vedette/wire/sealing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { givenManualClock } from '../../test-support/clocks.ts'
import { plannedCheckFor } from '../../test-support/plans.ts'
import { ProtocolProblem } from '../protocol/protocol-problem.ts'
import type { PlanPart } from '../protocol/protocol-client.ts'
import { followPlan } from './plan-loop.ts'
import type { Plan } from './plan.ts'

const { publicKey } = sealingKeys()
const share = { index: 0, of: 1 }
/** In the order of their ids, as a server sends them. */
const checks = Array.from({ length: 4 }, () => plannedCheckFor(publicKey)).toSorted((one, other) =>
  one.checkId < other.checkId ? -1 : 1,
)
const idsOf = (plan: Plan | undefined) => plan?.checks.map(({ checkId }) => checkId)
const ids = checks.map(({ checkId }) => checkId)
const part = (version: string, from: number, to: number): PlanPart => ({
  version,
  unchanged: false,
  share,
  checks: checks.slice(from, to),
  next: to < checks.length ? (ids[to - 1] ?? null) : null,
})

let clock: ReturnType<typeof givenManualClock>
let stop: AbortController
let plan: Plan | undefined
let asked: (string | undefined)[]
let following: Promise<void>
const session = { ended: new AbortController().signal }

beforeEach(() => {
  clock = givenManualClock()
  stop = new AbortController()
  plan = undefined
  asked = []
})
afterEach(async () => {
  stop.abort()
  await following
})

/** A server that answers like this, one after another, and the last for ever. */
function follow(...answers: (() => PlanPart)[]): void {
  following = followPlan({
    agentId: randomUUID(),
    publicKey,
    client: {
      plan({ after }) {
        asked.push(after)
        const answer = answers.length > 1 ? answers.shift() : answers[0]
        return new Promise((resolve) => resolve(answer?.() ?? null))
      },
    },
    connection: { ready: () => Promise.resolve(session as never) },
    clock,
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    signal: stop.signal,
    current: () => plan,
    replace: (next) => (plan = next),
  })
}

/** Until the loop waits for its next look. */
async function settled(): Promise<void> {
  while (clock.timers() === 0) await new Promise((resolve) => setImmediate(resolve))
}

test('a plan in parts is whole', async () => {
  follow(
    () => part('1', 0, 3),
    () => part('1', 3, 4),
  )
  await settled()
  expect(idsOf(plan)).toEqual(ids)
  expect(asked).toEqual([undefined, ids[2]])
})

test('a plan that changes while its parts are read loses no check, and is read anew with the next look', async () => {
  follow(
    () => part('1', 0, 2),
    () => part('1', 2, 4),
    () => part('2', 0, 2),
    () => part('3', 2, 4),
    () => part('3', 0, 4),
  )
  await settled()
  clock.advance(30_000)
  await settled()
  expect(idsOf(plan)).toEqual(ids)
  expect(asked).toHaveLength(4)
  clock.advance(30_000)
  await settled()
  expect(plan?.version).toBe('3')
})

test('a plan without an end is not read for ever', async () => {
  follow(
    () => part('1', 0, 4),
    () => part('2', 0, 2),
  )
  await settled()
  clock.advance(30_000)
  await settled()
  expect(plan?.version).toBe('1')
})

test('a call that fails leaves the plan as it is', async () => {
  follow(
    () => part('1', 0, 4),
    () => {
      throw new ProtocolProblem('busy', 'not now')
    },
  )
  await settled()
  clock.advance(30_000)
  await settled()
  expect(idsOf(plan)).toEqual(ids)
})
