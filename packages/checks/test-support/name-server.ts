import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { decode, type Packet } from 'dns-packet'
import { dnsReply } from './servers.ts'

/** A question that arrived, and ways to answer it, over real sockets of loopback. */
export interface Asked {
  query: Packet
  bytes: Buffer
  protocol: 'UDP' | 'TCP'
  /** How many questions came before over this protocol. */
  before: number
  /** Sends a whole message. */
  answer: (message: Buffer) => void
  /** The stream of a question over TCP, for bytes of any kind. */
  stream: Socket | undefined
  /** Where a question over UDP came from, and a socket of its own port. */
  from: RemoteInfo | undefined
}

/** A name server that does with each question what a test wants. Answers its port, the same for UDP and TCP. */
export async function startNameServer(onAsked: (asked: Asked) => void, protocols = ['UDP', 'TCP']) {
  const streams = new Set<Socket>()
  const ends: Promise<unknown>[] = []
  const count = { UDP: 0, TCP: 0 }
  const next = (protocol: 'UDP' | 'TCP', bytes: Buffer) => {
    const before = count[protocol]
    count[protocol] += 1
    return { query: decode(bytes), bytes, protocol, before }
  }
  const tcp = createServer((stream) => {
    streams.add(stream)
    ends.push(new Promise((resolve) => stream.once('close', resolve)))
    stream.on('error', () => undefined)
    stream.on('close', () => streams.delete(stream))
    stream.once('data', (data: Buffer) =>
      onAsked({ ...next('TCP', data.subarray(2)), stream, from: undefined, answer: (it) => stream.write(framed(it)) }),
    )
  })
  const { udp, port } = await onOnePort(tcp)
  udp.on('message', (bytes, from) =>
    onAsked({
      ...next('UDP', bytes),
      stream: undefined,
      from,
      answer: (message) => udp.send(message, from.port, from.address),
    }),
  )
  const closed = { udp: false, tcp: false }
  const closeUdp = async () => {
    closed.udp = true
    await new Promise<void>((done) => udp.close(() => done()))
  }
  const closeTcp = async () => {
    closed.tcp = true
    for (const stream of streams) stream.destroy()
    await new Promise((done) => tcp.close(done))
  }
  if (!protocols.includes('UDP')) await closeUdp()
  if (!protocols.includes('TCP')) await closeTcp()
  return {
    port,
    count,
    /** Waits until those who asked over TCP have closed their connections. */
    ended: () => Promise.all(ends),
    async close() {
      if (!closed.udp) await closeUdp()
      if (!closed.tcp) await closeTcp()
    },
  }
}

/** A message as it goes over a stream. */
export function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(message.length)
  return Buffer.concat([length, message])
}

/** An answer whose names lead over thousands of pointers each: whoever follows them all is busy for seconds. */
export function ladderReply(query: Packet): Buffer {
  const head = dnsReply(query, {})
  const address = [0, 1, 0, 1, 0, 0, 1, 44, 0, 4, 192, 0, 2, 1]
  const bottom = 0xc000 + head.length + 11
  const rungs = Array.from({ length: 8000 }, (_, rung) => bottom + Math.max(0, 2 * (rung - 1)))
  const ladder = Buffer.from(rungs.flatMap((to) => [to >> 8, to & 0xff]))
  ladder.writeUInt16BE(0, 0)
  const text = Buffer.from([0, 0, 10, 0, 1, 0, 0, 0, 0, ladder.length >> 8, ladder.length & 0xff])
  const top = bottom + ladder.length - 2
  const record = Buffer.from([top >> 8, top & 0xff, ...address])
  const records = Array.from({ length: 3000 }, () => record)
  head.writeUInt16BE(1 + records.length, 6)
  return Buffer.concat([head, text, ladder, ...records])
}

/** Both servers need the same port; another process may hold it for one of the two. */
async function onOnePort(tcp: ReturnType<typeof createServer>): Promise<{ udp: UdpSocket; port: number }> {
  for (;;) {
    const udp = createSocket('udp4')
    udp.bind(0, '127.0.0.1')
    await once(udp, 'listening')
    const { port } = udp.address()
    const listening = once(tcp, 'listening')
    tcp.listen(port, '127.0.0.1')
    try {
      await listening
      return { udp, port }
    } catch (error) {
      udp.close()
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
}
