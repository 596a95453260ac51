import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import type { Diagnostics } from '@vedette/checks/net'
import type { DiagnosticsRequest, Traceroute } from '@vedette/wire'
import { beforeEach, describe, expect, test } from 'vitest'
import { givenManualClock } from '../../test-support/clocks.ts'
import { ProtocolProblem, type ProblemKind } from '../protocol/protocol-problem.ts'
import type { Session } from '../protocol/connection.ts'
import { Diagnosis, type FailedRun } from './diagnosis.ts'

const second = 1000
const route: Traceroute = {
  hostname: 'shop.example',
  resolvedIp: '192.0.2.80',
  protocol: 'TCP',
  port: 443,
  startedAt: '2026-05-04T07:00:00.000Z',
  totalHops: 0,
  destinationReached: false,
  truncationReason: 'maxUnknownHops',
  hops: [],
}

let clock: ReturnType<typeof givenManualClock>
let told: DiagnosticsRequest[]
let asked: string[]
let problems: ProblemKind[]
let session: Session | undefined
let routes: (() => void)[]
let diagnosis: Diagnosis

const agentId = randomUUID()

function open(changes: Partial<Diagnostics> = {}): void {
  const diagnostics: Diagnostics = {
    capabilities: ['traceroute', 'capture'],
    traceroute: (contact) => {
      asked.push(contact.address)
      return Promise.resolve(route)
    },
    packetsOf: () => Buffer.from('packets'),
    close: () => undefined,
    ...changes,
  }
  const client = {
    diagnostics: (request: DiagnosticsRequest) => {
      const problem = problems.shift()
      if (problem !== undefined) return Promise.reject(new ProtocolProblem(problem, 'not now'))
      told.push(request)
      return Promise.resolve()
    },
  }
  const connection = {
    get session() {
      return session
    },
  }
  diagnosis = new Diagnosis({ agentId, diagnostics, client, connection, clock, log: pino({ level: 'silent' }) })
}

beforeEach(() => {
  clock = givenManualClock()
  told = []
  asked = []
  problems = []
  routes = []
  session = { silent: new AbortController().signal } as Session
  open()
})

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= second) {
    clock.advance(Math.min(left, second))
    await settled()
  }
}

const runOf = (checkId: string = randomUUID()): FailedRun => ({
  job: { checkId, lease: `lease of ${checkId}` },
  contacts: ['192.0.2.79', '192.0.2.80'].map((address) => ({
    host: 'shop.example',
    address,
    port: 443,
    localPort: 50_000,
    from: 0,
    by: 1,
  })),
  endedAt: 10,
})

describe('a run that did not reach its target', () => {
  test('is looked into: the way to the machine that was tried last, and its packets', async () => {
    diagnosis.add(runOf('a'))
    await pass(3 * second)
    expect(asked).toEqual(['192.0.2.80'])
    const capture = Buffer.from('packets').toString('base64')
    expect(told).toEqual([{ agentId, lease: 'lease of a', traceroute: route, capture }])
  })

  test('of the same check is looked into again after five minutes', async () => {
    diagnosis.add(runOf('a'))
    await pass(299 * second)
    diagnosis.add(runOf('a'))
    diagnosis.add(runOf('b'))
    await pass(3 * second)
    expect(told.map(({ lease }) => lease)).toEqual(['lease of a', 'lease of b'])
    diagnosis.add(runOf('a'))
    await pass(3 * second)
    expect(told).toHaveLength(3)
  })

  test('is told as soon as the server is there, within forty seconds', async () => {
    session = undefined
    diagnosis.add(runOf('a'))
    await pass(20 * second)
    session = { silent: new AbortController().signal } as Session
    problems = ['away', 'busy']
    await pass(8 * second)
    expect(told).toHaveLength(1)
    session = undefined
    diagnosis.add(runOf('b'))
    await pass(42 * second)
    session = { silent: new AbortController().signal } as Session
    await pass(10 * second)
    expect(told).toHaveLength(1)
  })

  test.each(['rejected', 'denied'] as const)('is not told again to a server that answers %s', async (problem) => {
    problems = [problem]
    diagnosis.add(runOf())
    await pass(40 * second)
    expect(told).toEqual([])
  })

  test('is told with what there is, and not at all when there is nothing', async () => {
    open({ packetsOf: () => undefined })
    diagnosis.add(runOf())
    await pass(3 * second)
    expect(told[0]).not.toHaveProperty('capture')
    open({ packetsOf: () => undefined, traceroute: () => Promise.resolve(undefined) })
    diagnosis.add(runOf())
    open({ capabilities: [] })
    diagnosis.add(runOf())
    await pass(3 * second)
    expect(told).toHaveLength(1)
  })
})

describe('a mass outage', () => {
  const held = () => new Promise<Traceroute>((resolve) => void routes.push(() => resolve(route)))

  test('has four looked into at once and fifty wait, and those that waited too long are left out', async () => {
    open({ traceroute: held })
    for (let count = 0; count < 100; count++) diagnosis.add(runOf(`check ${count}`))
    await pass(second)
    expect(routes).toHaveLength(4)
    for (const free of routes.splice(0)) free()
    await pass(3 * second)
    expect(routes).toHaveLength(4)
    await pass(20 * second)
    for (const free of routes.splice(0)) free()
    await pass(3 * second)
    expect(routes).toHaveLength(0)
    expect(told).toHaveLength(8)
    diagnosis.add(runOf('check 20'))
    await pass(second)
    expect(routes).toHaveLength(1)
    routes[0]?.()
  })

  test('keeps no agent from stopping', async () => {
    open({ traceroute: held })
    diagnosis.add(runOf())
    const stopped = diagnosis.stop()
    await settled()
    for (const free of routes) free()
    await stopped
    expect(told).toEqual([])
  })
})
