import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { agentPaths, type Job } from '@vedette/wire'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FakeServer, Refusal } from '../test-support/fake-server.ts'
import { scriptedJob } from '../test-support/jobs.ts'
import { openScene, type Scene } from '../test-support/scene.ts'

// A server that is ill, a proxy that answers in its place, or somebody who wants harm: the agent neither ends, nor loses results, nor
// runs what is no job.

let scene: Scene
let server: FakeServer

beforeEach(async () => {
  scene = await openScene()
  server = scene.server
})
afterEach(() => scene.end())

const portal = '<!doctype html><title>Welcome to our Wi-Fi</title><form action="/accept"><input name="room"></form>'

const badAnswers: readonly [string, Refusal | 'drop'][] = [
  ['the page of a captive portal', { status: 200, headers: { 'content-type': 'text/html' }, raw: portal }],
  ['a redirect to a captive portal', { status: 302, headers: { location: 'http://127.0.0.1:1/welcome' }, raw: portal }],
  ['nothing', { status: 200 }],
  ['null', { status: 200, body: null }],
  ['a list', { status: 200, body: [] }],
  ['an object of nothing', { status: 200, body: {} }],
  ['fields of wrong types', { status: 200, body: wrongTypes() }],
  ['half of an answer', { status: 200, raw: '{"serverTime":17', isCut: true }],
  ['half of a JSON text', { status: 200, raw: '{"serverTime":17' }],
  ['bytes that are no text', { status: 200, raw: Buffer.from([0xff, 0xfe, 0x00, 0x9f]) }],
  ['what is not gzip', { status: 200, headers: { 'content-encoding': 'gzip' }, raw: 'not gzip' }],
  [
    'a bomb',
    { status: 200, headers: { 'content-encoding': 'gzip' }, raw: gzipSync(Buffer.alloc(80 * 1024 * 1024, 32)) },
  ],
  ['brackets without end', { status: 200, raw: `{"jobs":${'['.repeat(200_000)}` }],
  ['a page of an error', { status: 502, headers: { 'content-type': 'text/html' }, raw: '<h1>Bad Gateway</h1>' }],
  ['an early end', 'drop'],
]

function wrongTypes(): object {
  const terms = { protocol: '2', locations: 'eu-west-1', leaseMs: '30', renewEveryMs: null, longPollMs: [] }
  return { ...terms, serverTime: 'noon', jobs: { length: 1e9 }, cancelled: 'all', accepted: 7, rejected: 'none' }
}

describe('an agent that is answered with', () => {
  test.each(badAnswers)('%s, once by every call, brings its results home all the same', async (_, bad) => {
    const answered = new Set<string>()
    server.trouble = (path) => {
      if (answered.has(path)) return undefined
      answered.add(path)
      return bad
    }
    await scene.agent()
    const jobs = [scriptedJob('pass'), scriptedJob('fail')]
    server.give(...jobs)
    await server.until(() => jobs.every(({ lease }) => server.results.some((result) => result.lease === lease)))
    const expected = [agentPaths.hello, agentPaths.lease, agentPaths.renew, agentPaths.results]
    expect(expected.filter((path) => !answered.has(path))).toEqual([])
    expect(server.results.map(({ lease }) => lease).toSorted()).toEqual(jobs.map(({ lease }) => lease).toSorted())
  })
})

describe('an agent that is given', () => {
  test('terms that would have it call without pause, or never, goes by none of them', async () => {
    const terms = { protocol: 2, serverTime: Date.now(), locations: ['eu-west-1'], leaseMs: 30_000 }
    const pace = { renewEveryMs: 50, longPollMs: 20_000 }
    const absurd = [{ renewEveryMs: 1e-9 }, { renewEveryMs: 1e300 }, { longPollMs: 1e300 }, { serverTime: -1e300 }]
    let hellos = 0
    server.trouble = (path) => {
      if (path !== agentPaths.hello || hellos === absurd.length) return undefined
      return { status: 200, body: { ...terms, ...pace, ...absurd[hellos++] } }
    }
    await scene.agent()
    const job = scriptedJob('pass')
    server.give(job)
    await scene.resultOf(job)
    expect(hellos).toBe(absurd.length)
    // Nothing was asked or renewed in a session with such terms.
    expect(server.hellos).toHaveLength(1)
  })

  test('jobs that are none runs and reports none of them, and runs those beside them', async () => {
    await scene.agent()
    const good = scriptedJob('pass')
    const of = (changes: object): Job => ({ ...scriptedJob('pass'), ...changes })
    const bad = [
      of({ attemptId: '../../etc/passwd' }),
      of({ definition: 'rm -rf /' }),
      of({ timeoutMs: 1e300 }),
      of({ timeoutMs: -1 }),
      of({ dueAt: 'now' }),
      of({ workerClass: 'root' }),
      of({ egress: null }),
      of({ variables: [{ key: 1 }] }),
      'a job' as unknown as Job,
      null as unknown as Job,
    ]
    server.give(...bad, good)
    await scene.resultOf(good)
    expect(server.results.map(({ lease }) => lease)).toEqual([good.lease])
  })

  test('a job whose definition nests without end says that it cannot run it, and goes on', async () => {
    await scene.agent()
    const [nested, after] = [scriptedJob('pass'), scriptedJob('pass')]
    let given = false
    server.trouble = (path) => {
      if (path !== agentPaths.lease || given) return undefined
      given = true
      // Written by hand: JSON.stringify cannot.
      const text = JSON.stringify({ ...nested, definition: { ...nested.definition, deep: 'DEEP' } })
      const nestedText = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
      return { status: 200, raw: `{"serverTime":${Date.now()},"jobs":[${text.replace('"DEEP"', nestedText)}]}` }
    }
    server.give(after)
    await scene.resultOf(after)
    expect(await scene.resultOf(nested)).toBeDefined()
  })

  test('more jobs than it asked for runs no more than it has room for', async () => {
    await scene.agent({ concurrency: 2 })
    const jobs = Array.from({ length: 50 }, () => scriptedJob('pass'))
    let given = false
    server.trouble = (path) => {
      if (path !== agentPaths.lease || given) return undefined
      given = true
      return { status: 200, body: { serverTime: Date.now(), jobs } }
    }
    const after = scriptedJob('pass')
    server.give(after)
    await scene.resultOf(after)
    expect(server.results.length).toBeLessThanOrEqual(3)
  })

  test('acknowledgements of what it never sent loses nothing that waits', async () => {
    server.takes = () => false
    await scene.agent()
    const kept = scriptedJob('pass')
    server.give(kept)
    await server.until(() => server.batches.length >= 2)
    server.takes = () => true
    const other = scriptedJob('pass')
    server.trouble = (path, body) => {
      if (path !== agentPaths.results || body.includes(kept.lease)) return undefined
      const accepted = [other.attemptId, kept.attemptId, randomUUID()]
      return { status: 200, body: { serverTime: Date.now(), accepted, rejected: [] } }
    }
    server.give(other)
    expect(await scene.resultOf(kept)).toBeDefined()
  })
})
