import { connect } from 'node:net'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '@vedette/wire'
import { startTestServers, trusted, type TestServers } from '../../../test-support/servers.ts'
import { startDeadline } from '../deadline.ts'
import type { Contact } from '../egress/contact.ts'
import { createEgress } from '../egress/egress.ts'
import { startCapture, type PacketCapture } from './capture.ts'
import { belongingOf, remoteOf } from './belongs.ts'
import { fileHeader, readOrder, recordsOf, type PcapRecord } from './pcap.ts'

let servers: TestServers
let capture: PacketCapture

// It needs tcpdump (Debian package tcpdump), and root or the capability NET_RAW. Without them these tests fail.
beforeAll(async () => {
  const started = await startCapture()
  if (started === undefined) throw new Error('tcpdump is not installed, or may not capture here')
  capture = started
})
afterAll(() => capture?.close())
beforeEach(() => {
  servers = startTestServers()
})
afterEach(() => servers.closeAll())

/** The file, as soon as it holds what is waited for: packets take up to a second to be heard of. */
async function captured(contacts: Contact[], isWhole: (records: PcapRecord[]) => boolean): Promise<PcapRecord[]> {
  const endedAt = Date.now()
  for (;;) {
    const file = capture.packetsOf(contacts, endedAt)
    const records = file === undefined ? [] : [...recordsOf(file.subarray(fileHeader), readOrder(file))]
    if (isWhole(records)) return records
    await new Promise<void>((resolve) => void systemClock.after(50, resolve))
  }
}

/** Tries a connection as a check does. Answers what is known of it. */
async function tried(port: number): Promise<{ contact: Contact; error: unknown }> {
  const contacts: Contact[] = []
  const deadline = startDeadline(300)
  const target = {
    host: '127.0.0.1',
    port,
    family: 'IPv4' as const,
    tried: (contact: Contact) => void contacts.push(contact),
  }
  const error: unknown = await createEgress()
    .connect(target, trusted, deadline)
    .then(
      ({ socket }) => void socket.destroy(),
      (why: unknown) => why,
    )
  deadline.close()
  const [contact] = contacts
  if (contact === undefined) throw new Error('nothing was tried')
  return { contact, error }
}

const flagsOf = ({ packet }: PcapRecord): number => packet.subarray(16)[20 + 13] ?? 0
const ended = (records: readonly PcapRecord[]) => records.some((record) => (flagsOf(record) & 0b101) !== 0)

describe('a capture', () => {
  test('holds the packets of a connection that was refused, and of no other', async () => {
    const port = await servers.tcp((socket) => socket.resume())
    const other = connect(port, '127.0.0.1')
    await once(other, 'connect')
    const closed = await servers.tcp(() => undefined)
    await servers.closeAll()
    servers = startTestServers()
    const { contact, error } = await tried(closed)
    expect(error).toMatchObject({ code: 'ECONNREFUSED' })
    const records = await captured([contact], ended)
    const remote = remoteOf(contact)
    const ports = new Set(records.map(({ packet }) => belongingOf(packet, remote)?.localPort))
    expect(ports.size).toBe(1)
    expect(ports).not.toContain(undefined)
    expect(records.map(flagsOf)).toEqual([0x02, 0x14])
    other.destroy()
  })

  test('holds one of two connections to the same port, with what was written on it, cut to its beginning', async () => {
    const port = await servers.tcp((socket) => socket.end('x'.repeat(5000)))
    const beside = connect(port, '127.0.0.1')
    beside.resume()
    const { contact } = await tried(port)
    expect(contact.localPort).toBeGreaterThan(0)
    const records = await captured([contact], ended)
    const remote = remoteOf(contact)
    for (const { packet } of records) {
      expect(belongingOf(packet, remote)?.localPort).toBe(contact.localPort)
      expect(packet.length).toBeLessThanOrEqual(160)
    }
    expect(records.filter(({ packet }) => belongingOf(packet, remote)?.begins)).toHaveLength(1)
    beside.destroy()
  })

  test('holds nothing when two connections may be the one', async () => {
    const port = await servers.tcp((socket) => socket.destroy())
    const both = await Promise.all([tried(port), tried(port)])
    const [known, unknown] = both.map(({ contact }) => contact)
    if (known === undefined || unknown === undefined) throw new Error('nothing was tried')
    await captured([known], ended)
    const from = Math.min(known.from, unknown.from)
    const by = Math.max(known.by, unknown.by)
    expect(capture.packetsOf([{ ...unknown, localPort: null, from, by }], Date.now())).toBeUndefined()
  })

  test('holds nothing of another time or another machine', async () => {
    const port = await servers.tcp((socket) => socket.destroy())
    const { contact } = await tried(port)
    await captured([contact], ended)
    const later = { ...contact, from: contact.from + 60_000, by: contact.by + 60_000 }
    expect(capture.packetsOf([later], later.by)).toBeUndefined()
    expect(capture.packetsOf([{ ...contact, address: '127.0.0.2' }], Date.now())).toBeUndefined()
    expect(capture.packetsOf([], Date.now())).toBeUndefined()
  })
})

const nodeProgram = (text: string) => ['node', '-e', text] as const

describe('where nothing can be captured there is no capture', () => {
  test.each([
    ['there is no such program', ['no-such-program']],
    ['it may not', nodeProgram('process.exit(1)')],
  ] as const)('because %s', async (_, command) => {
    expect(await startCapture({ command })).toBeUndefined()
  })
})

test('a machine with much traffic, or a program that writes nonsense, is not listened to', async () => {
  const header =
    'const h=Buffer.alloc(24);h.writeUInt32LE(0xa1b2c3d4,0);h.writeUInt32LE(113,20);process.stdout.write(h);'
  const packet = 'const p=Buffer.alloc(1016);p.writeUInt32LE(1000,8);p.writeUInt32LE(1000,12);'
  const gone = "process.on('SIGTERM',()=>{});process.stdout.on('error',()=>process.exit());"
  const busy = { bytes: 100_000, withinMs: 60_000, pauseMs: 60_000 }
  for (const writes of [
    `${packet}setInterval(()=>process.stdout.write(p),1)`,
    "setInterval(()=>process.stdout.write('x'.repeat(40)),5)",
  ]) {
    const flood = await startCapture({ command: nodeProgram(gone + header + writes), limits: { busy } })
    expect(
      flood?.packetsOf([{ host: 'x', address: '127.0.0.1', port: 1, localPort: 1, from: 0, by: 0 }], 0),
    ).toBeUndefined()
    while (!flood?.isPaused) await new Promise<void>((resolve) => void systemClock.after(20, resolve))
    flood.close()
  }
})
