import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock, type Job } from '@vedette/wire'
import { typeParts } from './check-result.ts'
import { checkTypes } from './check-types.ts'
import { AssertionPool } from './core/assertions/assertion-pool.ts'
import type { AnyCheckType } from './core/check-type.ts'
import { createSchema } from './core/definition/check-schema.ts'
import { completeDefinition } from './core/definition/complete-definition.ts'
import { createJobRunner } from './run.ts'

const id = '11111111-2222-4333-8444-555555555555'
/** Says the same to whoever connects, as a target of any type would. */
const target = createServer((socket) => {
  sockets.add(socket)
  socket.on('error', () => undefined)
  socket.write('HTTP/1.1 200 OK\r\nset-cookie: a=1\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok')
})
const sockets = new Set<Socket>()
const pool = new AssertionPool({ clock: systemClock })
let port: number

beforeAll(async () => {
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  port = (target.address() as AddressInfo).port
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => target.close(resolve))
  await pool.stop()
})

async function resultOf(type: AnyCheckType, at: number): Promise<Record<string, unknown>> {
  const fixture = new URL(`${type.path}/contract.fixture.ts`, import.meta.url).href
  const { leastCheck } = (await import(/* @vite-ignore */ fixture)) as { leastCheck: (port: number) => object }
  const job: Job = {
    ...{ attemptId: id, lease: '', leaseExpiresAt: 0, leasedAt: 0, checkId: id, checkName: 'least', type: type.type },
    ...{ workerClass: 'network', location: 'eu-west-1', emulated: true, dueAt: 0, attempt: 0, timeoutMs: 5000 },
    definition: completeDefinition(type, createSchema(type).parse(leastCheck(at)), id),
    variables: [],
    egress: { privateTargets: true, deniedTargets: [] },
  }
  const context = { signal: new AbortController().signal, clock: systemClock, random: Math.random }
  const { verdict, result } = await createJobRunner({ pool })(job, context)
  expect(verdict.outcome).toBe(at === port ? 'pass' : 'fail')
  return result
}

const withPart = checkTypes.flatMap((type) =>
  type.resultKey === null ? [] : [[type.title, type, type.resultKey] as const],
)

describe.each(withPart)('the part of a result of a check type, %s', (_, type, key) => {
  test('is its schema, field for field, whether the target answered or not', async () => {
    const refused = createServer()
    await new Promise<void>((resolve) => refused.listen(0, '127.0.0.1', resolve))
    const closed = (refused.address() as AddressInfo).port
    await new Promise((resolve) => refused.close(resolve))
    for (const at of [port, closed]) {
      const { [key]: part } = await resultOf(type, at)
      expect(type.resultSchema?.parse(part)).toEqual(part)
      expect(
        typeParts
          .partial()
          .strict()
          .parse({ [key]: part }),
      ).toEqual({ [key]: part })
    }
  })
})

test('a key whose types are not built is always null', () => {
  const none = Object.fromEntries(Object.keys(typeParts.shape).map((key) => [key, null]))
  expect(typeParts.parse(none)).toEqual(none)
  expect(Object.keys(none)).toEqual(
    expect.arrayContaining(['apiCheckResult', 'browserCheckResult', 'multiStepCheckResult', 'agenticCheckResult']),
  )
  expect(typeParts.safeParse({ ...none, browserCheckResult: {} }).success).toBe(false)
})
