import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { systemClock } from '@vedette/wire'
import type { RunContext } from '../core/check-type.ts'
import { trusted } from '../../test-support/servers.ts'
import { packetPrograms, type PacketProgramsOptions } from '../net/packets/packet-programs.ts'
import { pingCommand } from './ping-with-command.ts'
import { pingWithPackets } from './ping-with-packets.ts'
import { canPing, firstWayOf, type Ping } from './pinger.ts'
import { completeIcmpRequest } from './request-shape.ts'
import { createIcmpRun, run as realRun } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'ping-'))
afterAll(() => rmSync(folder, { recursive: true }))

const program = fileURLToPath(new URL('../../test-support/packet-program.mjs', import.meta.url))
const noRights = join(folder, 'no-rights.mjs')
writeFileSync(noRights, 'process.stderr.write("ping: socket: Operation not permitted\\n"); process.exitCode = 2')
const endless = join(folder, 'endless.mjs')
writeFileSync(endless, 'setInterval(() => undefined, 1000)')
let programs = 0

type Plan = readonly (number | string)[]

/** A packet program whose answers are planned, of each start or of all of them. */
function givenProgram(plans: readonly Plan[], more: Omit<PacketProgramsOptions, 'command'> = {}) {
  programs += 1
  const log = join(folder, `log-${programs}`)
  const sender = packetPrograms({ command: [process.execPath, program, log, JSON.stringify(plans)], ...more })
  const ping = firstWayOf([(order, deadline) => pingWithPackets(sender, order, deadline)])
  const lines = () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [])
  return {
    ping,
    starts: () => lines().filter((line) => line === 'start').length,
    sent: () => lines().filter((line) => line.startsWith('send-probe')),
  }
}

const request = (sent: Parameters<typeof completeIcmpRequest>[0]) => ({ request: completeIcmpRequest(sent) })

const context = (more: Partial<RunContext> = {}, limitMs = 20_000): RunContext => ({
  signal: new AbortController().signal,
  deadline: performance.now() + limitMs,
  egress: trusted,
  variables: [],
  clock: systemClock,
  random: Math.random,
  ...more,
})

/** Pings 127.0.0.1 so often; the program decides what comes of it. */
const runWith = (ping: Ping, pingCount: number, more: Partial<RunContext> = {}, limitMs?: number) =>
  createIcmpRun({ ping })(request({ hostname: '127.0.0.1', pingCount }), context(more, limitMs))

describe.concurrent.each([
  ['mtr-packet', realRun],
  ['ping', createIcmpRun({ ping: firstWayOf([pingCommand()]) })],
])('a run with %s', (name, run) => {
  it.each([
    ['127.0.0.1', 'IPv4', '127.0.0.1', 0],
    ['::1', 'IPv6', '::1', 129],
    ['[::1]', 'IPv6', '::1', 129],
    ['localhost', 'IPv4', '127.0.0.1', 0],
    ['localhost', 'IPv6', '::1', 129],
    ['::ffff:127.0.0.1', 'IPv4', '127.0.0.1', 0],
  ] as const)('pings %s over %s', async (hostname, ipFamily, resolvedIp, type) => {
    const { evidence, error, internalError } = await run(request({ hostname, ipFamily, pingCount: 2 }), context())
    expect([error, internalError]).toEqual([undefined, undefined])
    expect(evidence?.request).toEqual({ hostname, pingCount: 2, ipFamily })
    const { response } = evidence ?? {}
    expect(response).toMatchObject({
      hostname,
      resolvedIp,
      ipFamily: resolvedIp === '::1' ? 'IPv6' : 'IPv4',
      packetsSent: 2,
      packetsReceived: 2,
      packetSize: 64,
      packetLoss: 0,
    })
    expect(response?.pingResults).toEqual(
      [1, 2].map((sequence) => ({
        sequence,
        type,
        code: 0,
        success: true,
        rtt: expect.any(Number),
        ttl: name === 'ping' ? 64 : null,
      })),
    )
    const rtts = response?.pingResults.map(({ rtt }) => rtt ?? NaN) ?? []
    expect(response?.latency).toMatchObject({ min: Math.min(...rtts), max: Math.max(...rtts) })
    expect(Math.min(...rtts)).toBeGreaterThan(0)
  })
})

describe.concurrent('what a run sees', () => {
  it('is made of the round trips that the program measured', async () => {
    const { ping, sent } = givenProgram([[1000, 2000, 6000]])
    const { evidence } = await runWith(ping, 3)
    expect(evidence?.response?.latency).toEqual({ avg: 3, min: 1, max: 6, stdDev: 2.16 })
    expect(sent()).toEqual(Array(3).fill('send-probe ip-4 127.0.0.1 protocol icmp size 84 timeout 12'))
  })

  it('has a loss when some are not answered, and ends without a long wait for them', async () => {
    const { ping } = givenProgram([[1000, 'lose', 1000, 1000]])
    const { evidence, error } = await runWith(ping, 4)
    expect(error).toBeUndefined()
    expect(evidence?.response).toMatchObject({ packetsSent: 4, packetsReceived: 3, packetLoss: 25 })
    expect(evidence?.response?.pingResults.map(({ success }) => success)).toEqual([true, false, true, true])
    expect(evidence?.response?.pingResults[1]).toMatchObject({ sequence: 2, type: null, rtt: null, ttl: null })
  })

  it('fails when none is answered, and says what that may mean', async () => {
    const { ping } = givenProgram([['lose']])
    const { evidence, error, internalError } = await runWith(ping, 2, {}, 2000)
    expect(internalError).toBeUndefined()
    expect(error).toEqual({
      phase: 'ping',
      code: 'ETIMEDOUT',
      network: true,
      text: 'Ping: none of 2 pings to 127.0.0.1 was answered: it is down or unreachable, or a firewall drops pings',
    })
    expect(evidence?.response).toMatchObject({ packetsSent: 2, packetLoss: 100, latency: null })
  })

  it.each([
    [
      'a router that has no route',
      '{token} no-route ip-4 127.0.0.9 round-trip-time 20',
      'EHOSTUNREACH',
      '127.0.0.9 says',
    ],
    [
      'an answer of another machine',
      '{token} reply ip-4 127.0.0.9 round-trip-time 20',
      'EHOSTUNREACH',
      '127.0.0.9 says',
    ],
    ['a loop', '{token} ttl-expired ip-4 127.0.0.9 round-trip-time 20', 'ETIMEDOUT', 'TTL expired at 127.0.0.9'],
    ['a system without a route', '{token} no-route', 'EHOSTUNREACH', 'Ping: no route to 127.0.0.1'],
  ])('tells %s from silence', async (_, line, code, text) => {
    const { ping } = givenProgram([[line]])
    const { error } = await runWith(ping, 2)
    expect(error).toMatchObject({ phase: 'ping', code, text: expect.stringContaining(text) })
  })

  it.each([
    ['{token} permission-denied', 'CANNOT_PING', 'refuses the packets (EPERM)'],
    ['{token} network-down', 'NO_RESOURCES', 'the network interface of this machine is down'],
    ['{token} probes-exhausted', 'NO_RESOURCES', 'too many others'],
  ])('is not known when this machine cannot send: %s', async (line, code, text) => {
    const { ping } = givenProgram([[line]])
    const { error, internalError } = await runWith(ping, 2)
    expect(error).toBeUndefined()
    expect(internalError).toMatchObject({ code, text: expect.stringContaining(text) })
  })

  it('takes no time from a clock that was set', async () => {
    const { ping } = givenProgram([[-5_000_000, 3_600_000_000]])
    const { evidence } = await runWith(ping, 2)
    expect(evidence?.response?.latency?.min).toBeGreaterThan(0)
    expect(evidence?.response?.latency?.max).toBeLessThan(60_000)
  })

  it('is not known when the program gives up before its time, since then the clock was set', async () => {
    const { ping } = givenProgram([['{token} no-reply']])
    expect((await runWith(ping, 1)).internalError?.text).toContain('the clock of this machine was set')
  })
})

describe('a packet program', () => {
  it('is shared by many runs and started once', async () => {
    const { ping, starts, sent } = givenProgram([[1000]])
    const all = await Promise.all(Array.from({ length: 50 }, () => runWith(ping, 2)))
    expect(all.map(({ evidence }) => evidence?.response?.packetsReceived)).toEqual(Array(50).fill(2))
    expect([starts(), sent().length]).toEqual([1, 100])
  })

  it('is started again when it ends, and what it had is sent again', async () => {
    const { ping, starts } = givenProgram([[1000, 1000, 'die'], [2000]])
    const { evidence, internalError } = await runWith(ping, 5)
    expect(internalError).toBeUndefined()
    expect(evidence?.response).toMatchObject({ packetsSent: 5, packetsReceived: 5 })
    expect(starts()).toBe(2)
  })

  it('is not started again and again when it always ends', async () => {
    const { ping, starts } = givenProgram([['die']])
    for (let times = 0; times < 8; times += 1) {
      const { internalError } = await runWith(ping, 3)
      expect(internalError).toMatchObject({ code: 'CANNOT_PING', text: expect.stringContaining('exit code 3') })
    }
    expect(starts()).toBeLessThanOrEqual(7)
  })

  it('is ended when it writes what is no answer', async () => {
    for (const garbage of [
      'nonsense',
      '{token} reply',
      '{token} reply ip-4 127.0.0.1 round-trip-time x',
      'flood',
      '7 reply',
    ]) {
      const { ping, starts } = givenProgram([[garbage], [1000]])
      const { evidence } = await runWith(ping, 2)
      expect([evidence?.response?.packetsReceived, starts()], garbage).toEqual([2, 2])
    }
  })

  it('may write as slowly as it likes', async () => {
    const { ping } = givenProgram([['drip']])
    const { evidence } = await runWith(ping, 3)
    expect(evidence?.response?.pingResults.map(({ rtt }) => rtt)).toEqual([1.5, 1.5, 1.5])
  })

  it('that hangs is not known and no loss: it is ended, and a run never waits for it beyond its limit', async () => {
    const { ping, starts } = givenProgram([['hang']], { patienceMs: 1000 })
    const { error, internalError } = await runWith(ping, 2, {}, 3000)
    expect(error).toBeUndefined()
    expect(internalError).toMatchObject({ code: 'CANNOT_PING', text: expect.stringContaining('mtr-packet d') })
    expect(starts()).toBeGreaterThan(0)
  })

  it('has company when it is full', async () => {
    const { ping, starts } = givenProgram([['lose']])
    const runs = Array.from({ length: 30 }, () => runWith(ping, 50, {}, 8000))
    const all = await Promise.all(runs)
    expect(all.map(({ error }) => error?.code)).toEqual(Array(30).fill('ETIMEDOUT'))
    expect(starts()).toBe(2)
  })

  it('with no room for more says so, and counts nothing as lost that was not sent', async () => {
    const { ping, sent } = givenProgram([['lose']], { most: 1 })
    const all = await Promise.all(Array.from({ length: 30 }, () => runWith(ping, 50, {}, 8000)))
    const counted = all.reduce((sum, { evidence }) => sum + (evidence?.response?.packetsSent ?? 0), 0)
    expect(counted).toBeGreaterThan(0)
    expect(counted).toBeLessThanOrEqual(sent().length)
    expect(counted).toBeLessThanOrEqual(900)
    for (const { error, internalError } of all)
      expect([error?.code, internalError?.code]).toContain(internalError === undefined ? 'ETIMEDOUT' : 'NO_RESOURCES')
  })
})

describe('an agent that cannot ping', () => {
  const nothing = packetPrograms({ command: ['vedette-has-no-such-program'] })
  const ping = firstWayOf([
    (order, deadline) => pingWithPackets(nothing, order, deadline),
    pingCommand([process.execPath, noRights]),
  ])

  it('does not know, and says why and what helps', async () => {
    const { error, internalError } = await runWith(ping, 2)
    expect(error).toBeUndefined()
    expect(internalError).toEqual({
      code: 'CANNOT_PING',
      text: 'This agent cannot ping: vedette-has-no-such-program is not installed; ping: socket: Operation not permitted. Install mtr-packet (Debian package mtr-tiny) on the machine of the agent; in a container allow it the capability NET_RAW and do not set no-new-privileges.',
    })
  })

  it('does not know either when the system refuses to start the programs', async () => {
    const refused = ['mtr-packet', 'longer than the system takes'.repeat(10_000)] as const
    const packets = packetPrograms({ command: refused })
    const both = firstWayOf([(order, deadline) => pingWithPackets(packets, order, deadline), pingCommand(refused)])
    expect((await runWith(both, 2)).internalError).toMatchObject({
      code: 'CANNOT_PING',
      text: expect.stringContaining('mtr-packet cannot be started (E2BIG)'),
    })
    expect(await canPing(refused, refused)).toBe(false)
  })

  it('does not announce that it can', async () => {
    const missing = ['vedette-has-no-such-program'] as const
    expect(await canPing(missing, [process.execPath, noRights])).toBe(false)
    expect([await canPing(), await canPing(missing)]).toEqual([true, true])
  })

  it('is found out in a process that nothing else keeps alive', async () => {
    const pinger = JSON.stringify(new URL('./pinger.ts', import.meta.url).href)
    const ask = `const { canPing } = await import(${pinger}); process.stdout.write(String(await canPing()))`
    const options = ['--conditions=vedette-source', '--import', 'tsx', '--input-type=module', '--eval', ask]
    const { stdout } = await promisify(execFile)(process.execPath, options)
    expect(stdout).toBe('true')
  })

  it('uses the next way when the first does not work', async () => {
    const both = firstWayOf([(order, deadline) => pingWithPackets(nothing, order, deadline), pingCommand()])
    expect((await runWith(both, 2)).evidence?.response?.packetsReceived).toBe(2)
  })

  it('starts no more than so many ping programs at once', async () => {
    const one = firstWayOf([pingCommand(['ping'], 1)])
    const all = await Promise.all(Array.from({ length: 3 }, () => runWith(one, 1)))
    expect(all.map(({ evidence }) => evidence?.response?.packetsReceived)).toEqual([1, 1, 1])
  })
})

describe('a cancelled run', () => {
  it.each([
    ['a packet program', givenProgram([['lose']]).ping],
    ['ping', firstWayOf([pingCommand([process.execPath, endless])])],
  ])('ends at once with %s', async (_, ping) => {
    const cancel = new AbortController()
    const running = runWith(ping, 50, { signal: cancel.signal })
    setImmediate(() => cancel.abort())
    expect((await running).internalError?.code).toBe('CANCELLED')
  })
})
