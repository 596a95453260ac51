import { randomUUID } from 'node:crypto'
import { captureLimit, networkAssets, type Job, type Traceroute } from '@vedette/wire'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { givenCheck } from '../../test-support/checks.ts'
import { useEmptiedDatabase } from '../../test-support/database.ts'
import { forgetChecks, givenPlane, TestAgent, type Plane } from '../../test-support/plane.ts'
import { failed, reportOf } from '../../test-support/reports.ts'
import { readAssets } from '../assets/index.ts'

const database = useEmptiedDatabase()
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
const pcap = (bytes = 40): Buffer => Buffer.concat([Buffer.from('d4c3b2a1', 'hex'), Buffer.alloc(bytes - 4, 7)])
const text = (capture: Buffer) => capture.toString('base64')

let plane: Plane
let agent: TestAgent
let job: Job
let accountId: string

beforeEach(async () => {
  await forgetChecks(database.db)
  await database.db.pool.query('DELETE FROM result_assets')
  await database.db.pool.query('UPDATE agent_keys SET revoked_at = now()')
  plane = await givenPlane(database.db)
  agent = new TestAgent(plane, await plane.agents.keys.mintBuiltin('test'))
  job = await givenJob()
})
afterEach(() => plane.stop())

async function givenJob(): Promise<Job> {
  const check = await givenCheck(plane)
  accountId = check.accountId
  await plane.dispatch.checkChanged(check.id)
  await plane.dispatch.requestRun(check.id, 'SCHEDULE_NOW')
  await plane.clock.advance(0)
  const [leased] = await agent.lease()
  if (leased === undefined) throw new Error('There is no job.')
  return leased
}

const stored = () => readAssets(database.db.pool, accountId, { resultId: job.attemptId, sequenceId: null })
const content = (name: string) => plane.assets.read({ dueAt: job.dueAt, resultId: job.attemptId, name })

describe('what an agent found out about a run', () => {
  test('is kept with its result, whichever of them comes first', async () => {
    const answer = await agent.post('diagnostics', { lease: job.lease, traceroute: route, capture: text(pcap()) })
    expect(answer.status).toBe(204)
    await agent.report(plane.clock, reportOf(job, { verdict: failed }))
    expect(await stored()).toEqual([
      { resultId: job.attemptId, name: 'capture.pcap', type: 'pcap', contentType: 'application/vnd.tcpdump.pcap' },
      { resultId: job.attemptId, name: 'traceroute.json', type: 'report', contentType: 'application/json' },
    ])
    expect(await content(networkAssets.capture)).toEqual(pcap())
    expect(JSON.parse(String(await content(networkAssets.traceroute)))).toEqual(route)
    expect(plane.assetsOf).toEqual([job.attemptId])
  })

  test('sent again changes nothing, and what was missing is added', async () => {
    await agent.post('diagnostics', { lease: job.lease, traceroute: route })
    const other = { ...route, port: 80 }
    for (let times = 0; times < 2; times++)
      expect(
        (await agent.post('diagnostics', { lease: job.lease, traceroute: other, capture: text(pcap()) })).status,
      ).toBe(204)
    expect(JSON.parse(String(await content(networkAssets.traceroute)))).toEqual(route)
    expect(await stored()).toHaveLength(2)
    expect(plane.assetsOf).toHaveLength(2)
  })

  test('is refused with a lease that was not issued here, to another key, or long ago', async () => {
    const refused = async (from: TestAgent, lease: string) =>
      (await from.post('diagnostics', { lease, traceroute: route })).body
    expect(await refused(agent, 'v1.e30.e30')).toMatchObject({
      statusCode: 400,
      message: '"lease" was not issued here',
    })
    const { raw } = await plane.agents.keys.mintForDataCenter(database.db.pool, 'eu-west-1')
    plane.agents.keys.forget()
    expect(await refused(new TestAgent(plane, raw), job.lease)).toMatchObject({
      statusCode: 400,
      message: '"lease" was issued to another location key',
    })
    await plane.clock.advance(job.timeoutMs + 4 * 60_000)
    expect(await refused(agent, job.lease)).toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('"lease" is of a run'),
    })
    expect((await agent.post('diagnostics', { lease: job.lease })).status).toBe(400)
    expect(await stored()).toEqual([])
  })

  test.each([
    ['a capture that is none', { capture: text(Buffer.from('#!/bin/sh')) }, '"capture" must be a pcap file'],
    ['a capture that is no base64', { capture: '<svg>' }, '"capture"'],
    ['a capture that is too large', { capture: text(pcap(captureLimit + 3)) }, '"capture"'],
    ['a way with an unknown field', { traceroute: { ...route, more: true } }, '"traceroute.more" is not a known field'],
    ['a way of more hops than there are', { traceroute: { ...route, totalHops: 65 } }, '"traceroute.totalHops"'],
  ])('is refused when it is %s', async (_, sent, message) => {
    const { status, body } = await agent.post('diagnostics', { lease: job.lease, ...sent })
    expect(status).toBe(400)
    expect(body.message).toContain(message)
    expect(await stored()).toEqual([])
  })

  test('may be as large as is said', async () => {
    const { status } = await agent.post('diagnostics', { lease: job.lease, capture: text(pcap(captureLimit)) })
    expect(status).toBe(204)
    expect((await content(networkAssets.capture))?.length).toBe(captureLimit)
  })

  test('is refused when the account has no room for more', async () => {
    await database.db.pool.query(
      `INSERT INTO result_assets (result_id, name, account_id, check_id, sequence_id, due_at, type, content_type, bytes, created_at)
       VALUES ($1, 'old.pcap', $2, $1, $1, now(), 'pcap', 'application/vnd.tcpdump.pcap', 1073741800, now())`,
      [randomUUID(), accountId],
    )
    const { status } = await agent.post('diagnostics', { lease: job.lease, traceroute: route })
    expect(status).toBe(413)
    expect(await stored()).toEqual([])
  })
})
