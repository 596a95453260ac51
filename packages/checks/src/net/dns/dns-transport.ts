import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { connect, isIPv6, type Socket } from 'node:net'
import type { Deadline } from '../deadline.ts'
import { codeOf, formatEndpoint, formatLimit } from '../target-error.ts'

export interface Nameserver {
  address: string
  port: number
}

/** A nameserver gave no usable answer; the next one may give one. */
export class NameserverTrouble extends Error {
  readonly timedOut: boolean
  /** The code of the system error behind it. */
  readonly code: string | undefined
  constructor(text: string, { timedOut = false, code }: { timedOut?: boolean; code?: string } = {}) {
    super(text)
    this.name = 'NameserverTrouble'
    this.timedOut = timedOut
    this.code = code
  }
}

/** Opens the sockets to a nameserver. They are connected when the promise is fulfilled; who uses them closes them. */
export interface DnsSockets {
  udp(nameserver: Nameserver, deadline: Deadline): Promise<UdpSocket>
  tcp(nameserver: Nameserver, deadline: Deadline): Promise<Socket>
}

/** One message to a nameserver, and how to read what comes back. */
export interface DnsExchange<Reply> {
  nameserver: Nameserver
  sockets: DnsSockets
  message: Buffer
  /** Undefined for what is no answer to the message. A throw ends the exchange. */
  read: (received: Buffer) => Reply | undefined
}

/** A name server as people write it: without the usual port. */
export const labelOf = ({ address, port }: Nameserver): string =>
  port === 53 ? address : formatEndpoint(address, port)

const silence = (nameserver: Nameserver, { limitMs }: Deadline) =>
  new NameserverTrouble(`nameserver ${labelOf(nameserver)} did not answer within ${formatLimit(limitMs)}`, {
    timedOut: true,
  })

const troubleOf = (nameserver: Nameserver, error: Error) =>
  new NameserverTrouble(`nameserver ${labelOf(nameserver)}: ${error.message}`, { code: codeOf(error) })

const literalLookup = (
  address: string,
  _options: unknown,
  callback: (error: NodeJS.ErrnoException | null, address: string, family: number) => void,
): void => callback(null, address, isIPv6(address) ? 6 : 4)

/**
 * A new socket that takes datagrams from this address and port only, and gets an error when nothing listens there. The
 * system gives it a port that nobody can predict.
 */
export const openDatagrams = ({ address, port }: Nameserver): UdpSocket => {
  const socket = createSocket({ type: isIPv6(address) ? 'udp6' : 'udp4', lookup: literalLookup })
  socket.connect(port, address)
  return socket
}

/** Waits until a new socket is connected. `failed` turns its error into the one to throw. */
export async function connectedDatagrams(
  socket: UdpSocket,
  nameserver: Nameserver,
  deadline: Deadline,
  failed: (error: Error) => Error = (error) => troubleOf(nameserver, error),
): Promise<UdpSocket> {
  try {
    return await deadline.during<UdpSocket>({
      start(succeed, fail) {
        // Stays for the life of the socket: without a listener an error after the exchange would end the process.
        socket.on('error', (error) => fail(failed(error)))
        socket.once('connect', () => succeed(socket))
      },
      stop: () => undefined,
      timedOut: () => silence(nameserver, deadline),
    })
  } catch (error) {
    socket.close()
    throw error
  }
}

/** Opens sockets to the nameservers of this machine, which the operator chose. Those of users go through the egress guard. */
export const ownSockets: DnsSockets = {
  udp: (nameserver, deadline) => connectedDatagrams(openDatagrams(nameserver), nameserver, deadline),
  tcp(nameserver, deadline) {
    const socket = connect({ host: nameserver.address, port: nameserver.port, autoSelectFamily: false })
    return deadline.during<Socket>({
      start(succeed, fail) {
        socket.on('error', (error) => fail(troubleOf(nameserver, error)))
        socket.once('connect', () => succeed(socket))
      },
      stop: () => socket.destroy(),
      timedOut: () => silence(nameserver, deadline),
    })
  },
}

/** Sends one datagram and waits for its answer. */
export async function overUdp<Reply>(exchange: DnsExchange<Reply>, deadline: Deadline): Promise<Reply> {
  const { nameserver, sockets, message, read } = exchange
  const socket = await sockets.udp(nameserver, deadline)
  try {
    return await deadline.during<Reply>({
      start(succeed, fail) {
        socket.on('error', (error) => fail(troubleOf(nameserver, error)))
        socket.on('message', (received) => settle(received, read, succeed, fail))
        socket.send(message)
      },
      stop: () => undefined,
      timedOut: () => silence(nameserver, deadline),
    })
  } finally {
    socket.close()
  }
}

function settle<Reply>(
  received: Buffer,
  read: DnsExchange<Reply>['read'],
  succeed: (reply: Reply) => void,
  fail: (error: Error) => void,
): void {
  try {
    const reply = read(received)
    if (reply !== undefined) succeed(reply)
  } catch (error) {
    fail(error instanceof Error ? error : new Error(String(error)))
  }
}

/** Sends the message over a connection. `connectMs` is how long that took to open. */
export async function overTcp<Reply>(
  { nameserver, sockets, message, read }: DnsExchange<Reply>,
  deadline: Deadline,
): Promise<{ reply: Reply; connectMs: number }> {
  const startedAt = performance.now()
  const socket = await sockets.tcp(nameserver, deadline)
  const connectMs = performance.now() - startedAt
  try {
    const reply = await deadline.during<Reply>({
      start(succeed, fail) {
        const take = frameReader()
        const damaged = () => fail(new NameserverTrouble(`nameserver ${labelOf(nameserver)} sent a damaged answer`))
        const onLost = (error?: Error) => fail(closedTrouble(nameserver, take.progress(), error))
        socket.on('data', (chunk: Buffer) => {
          const frame = take(chunk)
          if (frame === undefined) return
          settle(frame, read, succeed, fail)
          damaged()
        })
        socket.on('error', onLost)
        socket.on('close', () => onLost())
        const length = Buffer.alloc(2)
        length.writeUInt16BE(message.length)
        socket.write(Buffer.concat([length, message]))
      },
      stop: () => undefined,
      timedOut: () => silence(nameserver, deadline),
    })
    return { reply, connectMs }
  } finally {
    socket.destroy()
  }
}

function closedTrouble(nameserver: Nameserver, progress: string, error: Error | undefined): NameserverTrouble {
  const text = `nameserver ${labelOf(nameserver)} closed the connection ${progress}${error ? `: ${error.message}` : ''}`
  return new NameserverTrouble(text, error && { code: codeOf(error) })
}

/** Puts the first message of a stream together, which begins with its length. The chunks may be of any size. */
function frameReader() {
  let frame = Buffer.alloc(2)
  let filled = 0
  let isBody = false
  const fill = (chunk: Buffer): Buffer => {
    const copied = chunk.copy(frame, filled)
    filled += copied
    return chunk.subarray(copied)
  }
  const take = (chunk: Buffer): Buffer | undefined => {
    let rest = fill(chunk)
    if (!isBody && filled === 2) {
      isBody = true
      frame = Buffer.alloc(frame.readUInt16BE(0))
      filled = 0
      rest = fill(rest)
    }
    return isBody && filled === frame.length ? frame : undefined
  }
  const progress = () => (isBody ? `after ${filled} of ${frame.length} bytes of its answer` : 'without an answer')
  return Object.assign(take, { progress })
}
