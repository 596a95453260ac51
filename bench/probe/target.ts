import { constants } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net'
import { decode, encode } from 'dns-packet'

/** The target of the probe benchmark, in its own process. It answers at once, or holds each phase and reports it. */

export interface TargetPorts {
  http: number
  https: number
  heldTls: number
  held: number
  dns: number
  /** A name server that answers at once. */
  quickDns: number
}

/** Measured holds in milliseconds, in order of arrival. */
export interface Holds {
  dns: number[]
  tls: number[]
}

const dnsHoldMs = 15
const tlsHoldMs = 25
const firstByteHoldMs = 50
const downloadHoldMs = 30
const answer = Buffer.from(JSON.stringify({ ok: true, pad: 'x'.repeat(643) }))
const holds: Holds = { dns: [], tls: [] }

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', 1024, () => resolve((server.address() as AddressInfo).port)))

const plain: RequestListener = (_, response) => {
  response.setHeader('content-type', 'application/json')
  response.setHeader('connection', 'close')
  response.end(answer)
}

/** The body states for how long its first and second half were held. */
const holding: RequestListener = (_, response) => {
  const askedAt = performance.now()
  setTimeout(() => {
    const firstMs = performance.now() - askedAt
    response.setHeader('content-type', 'application/json')
    response.write(`{"firstByte":${firstMs},`)
    const writtenAt = performance.now()
    setTimeout(() => response.end(`"download":${performance.now() - writtenAt}}`), downloadHoldMs)
  }, firstByteHoldMs)
}

function startDns(holdMs: number): Promise<number> {
  const socket = createSocket('udp4')
  socket.on('message', (message, from) => {
    const askedAt = performance.now()
    const query = decode(message)
    const name = query.questions?.[0]?.name ?? ''
    const reply = encode({
      type: 'response',
      id: query.id ?? 0,
      flags: 0x0180,
      questions: query.questions ?? [],
      answers: [{ type: 'A', name, data: '127.0.0.1', ttl: 0 }],
    })
    if (holdMs === 0) return socket.send(reply, from.port, from.address)
    setTimeout(() => {
      holds.dns.push(performance.now() - askedAt)
      socket.send(reply, from.port, from.address)
    }, holdMs)
  })
  return new Promise((resolve) => socket.bind(0, '127.0.0.1', () => resolve(socket.address().port)))
}

process.once('message', (certificates: { key: string; chain: string }) => {
  const tlsOptions = { key: certificates.key, cert: certificates.chain, secureOptions: constants.SSL_OP_NO_TICKET }
  const https = createHttpsServer(tlsOptions, plain)
  // The ClientHello is not read before the hold ends.
  const heldTls = createTcpServer({ pauseOnConnect: true }, (socket) => {
    const openedAt = performance.now()
    setTimeout(() => {
      holds.tls.push(performance.now() - openedAt)
      https.emit('connection', socket)
      socket.resume()
    }, tlsHoldMs)
  })
  process.on('message', () => process.send?.({ ...holds }))
  const start = async () => {
    const http = await listen(createServer(plain))
    const ports: TargetPorts = {
      http,
      https: await listen(https),
      heldTls: await listen(heldTls),
      held: await listen(createServer(holding)),
      dns: await startDns(dnsHoldMs),
      quickDns: await startDns(0),
    }
    process.send?.(ports)
  }
  void start()
})
process.on('disconnect', () => process.exit())
