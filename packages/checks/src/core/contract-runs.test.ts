import { createServer, type AddressInfo, type Socket } from 'node:net'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { workerClasses, resultReport, systemClock, type Job } from '@vedette/wire'
import {
  expectExactPart,
  fixtureOf,
  goodAnswerOf,
  jobOf,
  leastDefinition,
  missingPaths,
  runnableTypes,
  type Behaviour,
  type Target,
} from '../../test-support/contract.ts'
import { createJobRunner } from '../run.ts'
import { AssertionPool } from './assertions/assertion-pool.ts'
import type { AnyCheckType } from './check-type.ts'
import { phasesOf } from './result-view.ts'
import { valueAt } from './value-at.ts'

async function report(job: Job, { run }: Pick<Target, 'run'> = {}) {
  const pool = new AssertionPool({ clock: systemClock })
  const context = { signal: new AbortController().signal, clock: systemClock, random: Math.random }
  try {
    const body = await createJobRunner({ pool, ...(run && { loadRun: () => Promise.resolve(run) }) })(job, context)
    return resultReport.parse({ ...body, lease: '', clockOffsetMs: 0, replayed: false })
  } finally {
    await pool.stop()
  }
}

/** A target on this machine that says `text` to whoever connects, or answers with it what it receives. */
async function startListener(text: ReturnType<typeof goodAnswerOf>['text']): Promise<Target> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    if (typeof text === 'function') socket.on('data', (received: Buffer) => socket.write(text(received)))
    else if (text !== '') socket.write(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  }
  const { port } = server.address() as AddressInfo
  return { port, named: String(port), close }
}

async function startTarget(type: AnyCheckType, behaviour: Behaviour): Promise<Target> {
  const fixture = fixtureOf(type)
  if (fixture.startTarget !== undefined) return await fixture.startTarget(behaviour)
  const target = await startListener(behaviour === 'well' ? goodAnswerOf(type).text : '')
  if (behaviour === 'refuses') await target.close()
  return target
}

describe.each(runnableTypes)('runs of the check type %s', (_, type, mode) => {
  it('has a run of its own, a worker class and a limit', () => {
    expect(existsSync(new URL(`../${type.path}/run.ts`, import.meta.url))).toBe(true)
    expect(workerClasses).toContain(mode.workerClass)
    expect(mode.timeoutMs(leastDefinition(type))).toBeGreaterThan(0)
    expect(mode.frequencies.length).toBeGreaterThan(0)
  })

  it('passes when the target is well, with a result that has all its view shows', async () => {
    const target = await startTarget(type, 'well')
    const { port } = target
    const done = await report(jobOf(type, leastDefinition(type, port)), target)
    await target.close()
    expect(done.verdict).toMatchObject({ outcome: 'pass', cause: '' })
    expect(done.statusCode).toBe(goodAnswerOf(type).statusCode)
    expect(missingPaths(type.resultView, type.resultKey === null ? {} : done.result[type.resultKey])).toEqual([])
    expectExactPart(type, done.result)
    expect(type.target(leastDefinition(type, port))).toContain(target.named)
  })

  it('says where the time went: the phases shown add up to the total', async () => {
    const target = await startTarget(type, 'well')
    const { result } = await report(jobOf(type, leastDefinition(type, target.port)), target)
    await target.close()
    const parts = type.resultView.flatMap((section) => section.parts)
    for (const part of parts) {
      if (part.kind !== 'phases') continue
      const durations = valueAt(result[type.resultKey ?? ''], part.path) as Record<string, number>
      const sum = part.phases.reduce((so, { name }) => so + (durations[name] ?? NaN), 0)
      expect(sum).toBeCloseTo(durations[part.total] ?? NaN, 6)
    }
  })

  it('measures every phase that it shows', () => {
    const metrics = type.metrics.map(({ name }) => name)
    expect(metrics).toEqual(expect.arrayContaining(phasesOf(type.resultView).map(({ name }) => name)))
  })

  it('runs a definition that was stored before a field with a default existed', async () => {
    const target = await startTarget(type, 'well')
    const { port } = target
    const sent = Object.keys(fixtureOf(type).leastCheck(port))
    const definition = leastDefinition(type, port)
    const older = Object.fromEntries(Object.entries(definition).filter(([name]) => sent.includes(name)))
    const { verdict } = await report(jobOf(type, older), target)
    await target.close()
    expect(verdict).toMatchObject({ outcome: 'pass', cause: '' })
    expect(mode.needs(older)).toEqual(mode.needs(definition))
  })

  it('reports a refusal as data', async () => {
    const target = await startTarget(type, 'refuses')
    const { verdict, error, internalError, result, statusCode } = await report(
      jobOf(type, leastDefinition(type, target.port)),
      target,
    )
    expect(internalError).toBeNull()
    expect(verdict.outcome).toBe('fail')
    expect(verdict.cause).toContain('refused')
    expect(error).toMatchObject({ network: true })
    expect(statusCode).toBeNull()
    expect(Object.keys(result)).toEqual(type.resultKey === null ? [] : [type.resultKey])
    expectExactPart(type, result)
  })

  it('ends as data when the target stays silent: a run that misses its deadline would be an internal error', async () => {
    const target = await startTarget(type, 'silent')
    const { verdict, internalError } = await report(
      jobOf(type, leastDefinition(type, target.port), { timeoutMs: 300 }),
      target,
    )
    await target.close()
    expect(internalError).toBeNull()
    expect(verdict.outcome).toBe('fail')
    expect(verdict.cause).not.toBe('')
  })
})
