import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tracerouteSchema } from '@vedette/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServers } from '../../../test-support/servers.ts'
import { CannotPing } from '../packets/answer.ts'
import { packetPrograms } from '../packets/packet-programs.ts'
import { traceroute } from './traceroute.ts'

const program = fileURLToPath(new URL('../../../test-support/packet-program.mjs', import.meta.url))
let folder: string
let logs = 0

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'traceroute-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A program that gives these answers, one for each packet, the last one to all others. */
function givenAnswers(...answers: (string | number)[]) {
  const log = join(folder, String(++logs))
  const sender = packetPrograms({ command: ['node', program, log, JSON.stringify([answers])] })
  return { sender, asked: () => readFileSync(log, 'utf8').split('\n').slice(1, -1) }
}

const target = { host: 'shop.example', address: '192.0.2.80', port: 443, protocol: 'TCP' } as const
const router = (number: number) => `{token} ttl-expired ip-4 10.0.0.${number} round-trip-time ${number}000`
const quick = { perHop: 2, atOnce: 2, waitMs: 200 }

describe('a traceroute', () => {
  test('goes from router to router until the target answers, and no step further than it was already asked', async () => {
    const { sender, asked } = givenAnswers(router(1), router(1), router(2), 'lose', router(3), router(3), 4000)
    const report = await traceroute(sender, target, quick)
    expect(tracerouteSchema.parse(report)).toEqual(report)
    expect(report).toMatchObject({
      hostname: 'shop.example',
      resolvedIp: '192.0.2.80',
      protocol: 'TCP',
      port: 443,
      totalHops: 4,
      destinationReached: true,
      truncationReason: 'destinationReached',
    })
    expect(report.hops.map(({ main_ip, loss_percentage }) => [main_ip, loss_percentage])).toEqual([
      ['10.0.0.1', 0],
      ['10.0.0.2', 50],
      ['10.0.0.3', 0],
      ['192.0.2.80', 0],
    ])
    expect(asked()).toEqual(
      [1, 1, 2, 2, 3, 3, 4, 4].map((ttl) => `send-probe ip-4 192.0.2.80 protocol tcp port 443 ttl ${ttl} timeout 5`),
    )
  })

  test('ends at its limit of hops, of silent hops and of time', async () => {
    const hops = await traceroute(givenAnswers(router(1)).sender, target, { ...quick, hops: 3 })
    expect(hops).toMatchObject({ truncationReason: 'maxHops', totalHops: 3 })
    const silent = await traceroute(givenAnswers(router(1), 'lose').sender, target, { ...quick, atOnce: 8, waitMs: 50 })
    expect(silent).toMatchObject({ truncationReason: 'maxUnknownHops', totalHops: 1 })
    const late = await traceroute(givenAnswers(router(1), 'lose').sender, target, { ...quick, totalMs: 300 })
    expect(late).toMatchObject({ truncationReason: 'timeout', totalHops: 1 })
  })

  test('is none when no packet can be sent', async () => {
    const denied = givenAnswers('{token} permission-denied')
    await expect(traceroute(denied.sender, target, { ...quick, hops: 2 })).rejects.toThrow(CannotPing)
    const missing = packetPrograms({ command: ['no-such-program'] })
    await expect(traceroute(missing, target, quick)).rejects.toThrow('no-such-program is not installed')
  })

  test('really reaches a port of this machine, open or closed, over both families', async () => {
    const servers = startTestServers()
    const port = await servers.tcp((socket) => socket.destroy())
    const sender = packetPrograms()
    for (const [address, to] of [
      ['127.0.0.1', port],
      ['127.0.0.1', 1],
      ['::1', 1],
    ] as const) {
      const report = await traceroute(sender, { host: 'localhost', address, port: to, protocol: 'TCP' })
      expect(report).toMatchObject({ totalHops: 1, destinationReached: true })
      expect(report.hops[0]).toMatchObject({ main_ip: address, sent: 3, received: 3 })
    }
    await servers.closeAll()
  })
})
