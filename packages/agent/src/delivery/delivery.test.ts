import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, truncateSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@vedette/wire'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { helloOf } from '../protocol/announce.ts'
import { Connection } from '../protocol/connection.ts'
import { ProtocolClient } from '../protocol/protocol-client.ts'
import { givenFastClock } from '../../test-support/clocks.ts'
import { FakeServer } from '../../test-support/fake-server.ts'
import { givenFailingFiles, type FailingFiles } from '../../test-support/failing-files.ts'
import { Delivery } from './delivery.ts'
import { finishedRun, internalErrorReport, type FinishedRun } from './report-text.ts'
import { Spool } from './spool.ts'

const agentId = 'b3b0f1a8-6a5c-4a53-9a52-0d6c7e3f8a10'
let server: FakeServer
let folder: string
let files: FailingFiles
let spool: Spool
let client: ProtocolClient
let connection: Connection
let delivery: Delivery
let said: string[]

beforeEach(async () => {
  server = new FakeServer()
  await server.start()
  folder = mkdtempSync(join(tmpdir(), 'delivery-'))
  files = givenFailingFiles()
  said = []
  const log = pino({ level: 'debug' }, { write: (line) => void said.push(line) })
  const clock = systemClock
  spool = await Spool.open({ folder, log, files })
  client = new ProtocolClient({ url: server.url, key: 'vdl_test', clock })
  const abilities = { checkTypes: [], capabilities: [], capacity: {} }
  const hello = () => helloOf(agentId, abilities, { inFlight: [], spooled: spool.attemptIds(10_000) })
  connection = new Connection({ client, hello, clock, random: () => 0, log })
  delivery = new Delivery({ agentId, client, connection, spool, clock, log })
})

afterEach(async () => {
  files.failing.clear()
  await delivery.stop()
  await connection.stop()
  client.close()
  await spool.close()
  await server.stop()
  rmSync(folder, { recursive: true })
})

function givenRun(): FinishedRun {
  const attemptId = randomUUID()
  const body = internalErrorReport('AGENT_ERROR', 'for a test')
  return finishedRun({ attemptId, lease: `lease-of-${attemptId}`, clockOffsetMs: 0 }, body)
}

async function connected(): Promise<void> {
  connection.start()
  await connection.ready(new AbortController().signal)
}

const leasesOf = (runs: FinishedRun[]) => runs.map(({ lease }) => lease)
const arrived = () => server.results.map(({ lease }) => lease)
const turn = () => new Promise((resolve) => setImmediate(resolve))
const timesLost = () => said.filter((line) => line.includes('the server is away')).length

test('with a full disk results go to the server from memory, and the connection is none the worse', async () => {
  await connected()
  files.failing.set('append', 'ENOSPC')
  const runs = [givenRun(), givenRun()]
  for (const run of runs) delivery.add(run)
  await server.until(() => server.results.length === 2)
  expect(server.hellos).toHaveLength(1)
})

test('with a full disk results that meet spooled ones go to the server from memory too', async () => {
  const spooled = givenRun()
  await spool.append([spooled])
  files.failing.set('append', 'ENOSPC')
  files.failing.set('readFile', 'EMFILE')
  await connected()
  const run = givenRun()
  delivery.add(run)
  await server.until(() => arrived().includes(run.lease))
  expect(arrived()).toEqual([run.lease])
  expect(timesLost()).toBe(0)
  files.failing.clear()
  await server.until(() => arrived().includes(spooled.lease))
  expect(server.hellos).toHaveLength(1)
})

test('with a full disk and the server away results wait in memory until one of them is back', async () => {
  files.failing.set('append', 'ENOSPC')
  const runs = [givenRun(), givenRun(), givenRun()]
  for (const run of runs) delivery.add(run)
  while (spool.trouble === undefined) await turn()
  while (delivery.held().length < 3) await turn()
  await connected()
  await server.until(() => server.results.length === 3)
  expect(arrived()).toEqual(leasesOf(runs))
  expect(delivery.dropped).toBe(0)
})

test('an unreadable record on disk holds up neither later results nor the connection', async () => {
  const [first, second, third] = [givenRun(), givenRun(), givenRun()]
  await spool.append([first])
  await spool.append([second])
  const segment = join(folder, String(readdirSync(folder).find((name) => name.endsWith('.spool'))))
  truncateSync(segment, 300)
  await connected()
  delivery.add(third)
  await server.until(() => arrived().includes(third.lease))
  expect(arrived()).toEqual([third.lease])
  expect(server.hellos).toHaveLength(1)
  expect(timesLost()).toBe(0)
  expect(spool.unreadable).toBe(2)
})

test('a stop with a full disk and the server away ends, and counts what is lost', async () => {
  files.failing.set('append', 'ENOSPC')
  for (const run of [givenRun(), givenRun()]) delivery.add(run)
  while (spool.trouble === undefined) await turn()
  await delivery.stop()
  expect(delivery.dropped).toBe(2)
  expect(delivery.held()).toEqual([])
})

test('a stop while the server asks for results again leaves them on disk', async () => {
  await connected()
  server.takes = () => false
  const runs = [givenRun(), givenRun()]
  for (const run of runs) delivery.add(run)
  await server.until(() => server.batches.length > 0)
  await delivery.stop()
  expect(new Set(spool.attemptIds(10))).toEqual(new Set(runs.map(({ attemptId }) => attemptId)))
})

test('results that the server does not take now hold up none of the others, and are tried again', async () => {
  const held = Array.from({ length: 250 }, givenRun)
  const heldLeases = new Set(leasesOf(held))
  const others = [givenRun(), givenRun(), givenRun()]
  server.takes = ({ lease }) => !heldLeases.has(lease)
  await spool.append(held)
  await spool.append(others)
  const clock = givenFastClock(200)
  const log = pino({ level: 'silent' })
  const patient = new Delivery({ agentId, client, connection, spool, clock, log })
  await connected()
  const late = givenRun()
  patient.add(late)
  await server.until(() => [...others, late].every(({ lease }) => arrived().includes(lease)))
  expect(spool.size).toBeGreaterThanOrEqual(held.length)
  server.takes = () => true
  await server.until(() => held.every(({ lease }) => arrived().includes(lease)))
  await patient.stop()
  expect(spool.size).toBe(0)
  expect(server.hellos).toHaveLength(1)
})

test('results of a time in which the server took none arrive in order once it takes them', async () => {
  const runs = Array.from({ length: 450 }, givenRun)
  await spool.append(runs)
  let isWell = false
  server.takes = ({ lease }) => {
    const isTaken = isWell
    isWell ||= lease === runs[299]?.lease
    return isTaken
  }
  const clock = givenFastClock(200)
  const patient = new Delivery({ agentId, client, connection, spool, clock, log: pino({ level: 'silent' }) })
  await connected()
  await server.until(() => server.results.length >= runs.length)
  await patient.stop()
  expect(arrived()).toEqual(leasesOf(runs))
})

test('many results that the server does not take keep a new one waiting for a try or two, not for all of theirs', async () => {
  const held = Array.from({ length: 40 }, () => Array.from({ length: 25 }, givenRun)).flat()
  const heldLeases = new Set(leasesOf(held))
  server.takes = ({ lease }) => !heldLeases.has(lease)
  await spool.append(held)
  const clock = givenFastClock(50)
  const patient = new Delivery({ agentId, client, connection, spool, clock, log: pino({ level: 'silent' }) })
  await connected()
  const first = givenRun()
  patient.add(first)
  await server.until(() => arrived().includes(first.lease))
  for (let n = 0; n < 5; n++) {
    const run = givenRun()
    const before = server.batches.length
    patient.add(run)
    await server.until(() => arrived().includes(run.lease))
    expect(server.batches.length - before).toBeLessThanOrEqual(3)
  }
  await patient.stop()
})
