import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { connect, isIPv6 } from 'node:net'
import { codeOf } from '../target-error.ts'
import { decode, encode, type DecodedPacket, type Packet } from 'dns-packet'

export interface Nameserver {
  address: string
  port: number
}
export type AddressRecord = 'A' | 'AAAA'

/** One answer of a nameserver. `rcode` is `NOERROR`, `NXDOMAIN`, `SERVFAIL` and so on. */
export interface DnsAnswer {
  rcode: string
  addresses: string[]
}

export interface DnsQuestion {
  name: string
  type: AddressRecord
}

export interface QueryOptions {
  nameserver: Nameserver
  question: DnsQuestion
  random: () => number
  timeoutMs: number
  signal: AbortSignal
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

const ednsPayload = 1232
const recursionDesired = 0x0100
const authenticatedData = 0x0020

function questionPacket(id: number, { name, type }: DnsQuestion, edns: boolean): Packet {
  return {
    type: 'query',
    id,
    flags: recursionDesired | authenticatedData,
    questions: [{ type, name, class: 'IN' }],
    additionals: edns
      ? [
          {
            type: 'OPT',
            name: '.',
            udpPayloadSize: ednsPayload,
            extendedRcode: 0,
            ednsVersion: 0,
            flags: 0,
            flag_do: false,
            options: [],
          },
        ]
      : [],
  }
}

/** The packet if it answers this question, undefined if it answers another one or is damaged. */
function answerTo(message: Buffer, id: number, question: DnsQuestion): DecodedPacket | undefined {
  let packet: DecodedPacket
  try {
    packet = decode(message)
  } catch {
    return undefined
  }
  const echoed = packet.questions?.[0]
  if (packet.id !== id || packet.type !== 'response') return undefined
  // A server may leave the question out of an error answer.
  if (echoed === undefined) return rcodeOf(packet) === 'NOERROR' ? undefined : packet
  return echoed.type === question.type && sameName(echoed.name, question.name) ? packet : undefined
}

const sameName = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

// The typings leave `rcode` out of a decoded packet.
const rcodeOf = (packet: DecodedPacket): string =>
  'rcode' in packet && typeof packet.rcode === 'string' ? packet.rcode : 'NOERROR'

/** Addresses at the end of the chain of aliases that starts at the question. */
function addressesIn(packet: DecodedPacket, { name, type }: DnsQuestion): string[] {
  const chain = new Set([name.toLowerCase()])
  const addresses: string[] = []
  for (const answer of packet.answers ?? []) {
    if (!chain.has(answer.name.toLowerCase())) continue
    if (answer.type === 'CNAME') chain.add(answer.data.toLowerCase())
    else if (answer.type === type && typeof answer.data === 'string') addresses.push(answer.data)
  }
  return addresses
}

const toAnswer = (packet: DecodedPacket, question: DnsQuestion): DnsAnswer => ({
  rcode: rcodeOf(packet),
  addresses: addressesIn(packet, question),
})

/** Asks one nameserver once: UDP, then TCP when the answer did not fit, then without EDNS when it is not understood. */
export async function askNameserver(options: QueryOptions): Promise<DnsAnswer> {
  let packet = await exchange(options, true)
  const rcode = rcodeOf(packet)
  if (rcode === 'FORMERR' || rcode === 'NOTIMP') packet = await exchange(options, false)
  return toAnswer(packet, options.question)
}

async function exchange(options: QueryOptions, edns: boolean): Promise<DecodedPacket> {
  const packet = await overUdp(options, edns)
  return packet.flag_tc ? await overTcp(options, edns) : packet
}

const newId = (random: () => number): number => Math.floor(random() * 0x10000) & 0xffff
const label = ({ address, port }: Nameserver): string => (port === 53 ? address : `${address} port ${port}`)

/** Runs `open` until it settles, time is up or the look-up is over; `close` always follows. */
function limited<T>(
  { nameserver, timeoutMs, signal }: QueryOptions,
  open: (resolve: (value: T) => void, reject: (error: Error) => void) => () => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const settled = new AbortController()
    const finish = (call: () => void) => {
      if (settled.signal.aborted) return
      settled.abort()
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      close()
      call()
    }
    const onAbort = () => finish(() => reject(new NameserverTrouble('the look-up was ended')))
    const giveUp = () =>
      finish(() => reject(new NameserverTrouble(`nameserver ${label(nameserver)} did not answer`, { timedOut: true })))
    // After a stall of this thread timers come before the answers that arrived meanwhile, which still count.
    const timer = setTimeout(() => setImmediate(giveUp), timeoutMs)
    const close = open(
      (value) => finish(() => resolve(value)),
      (error) => finish(() => reject(error)),
    )
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
}

const literalLookup = (
  address: string,
  _options: unknown,
  callback: (error: NodeJS.ErrnoException | null, address: string, family: number) => void,
): void => callback(null, address, isIPv6(address) ? 6 : 4)

function overUdp(options: QueryOptions, edns: boolean): Promise<DecodedPacket> {
  const { nameserver, question, random } = options
  const id = newId(random)
  const message = encode(questionPacket(id, question, edns))
  return limited(options, (resolve, reject) => {
    let closed = false
    const socket: UdpSocket = createSocket({
      type: isIPv6(nameserver.address) ? 'udp6' : 'udp4',
      lookup: literalLookup,
    })
    socket.on('error', (error) =>
      reject(new NameserverTrouble(`nameserver ${label(nameserver)}: ${error.message}`, { code: codeOf(error) })),
    )
    socket.on('message', (received) => {
      const packet = answerTo(received, id, question)
      if (packet !== undefined) resolve(packet)
    })
    // A connected socket accepts datagrams only from the nameserver, and gets an error when nothing listens there.
    socket.once('connect', () => {
      if (!closed) socket.send(message)
    })
    socket.connect(nameserver.port, nameserver.address)
    return () => {
      closed = true
      socket.close()
    }
  })
}

function overTcp(options: QueryOptions, edns: boolean): Promise<DecodedPacket> {
  const { nameserver, question, random } = options
  const id = newId(random)
  const message = encode(questionPacket(id, question, edns))
  return limited(options, (resolve, reject) => {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(message.length)
    let received = Buffer.alloc(0)
    const socket = connect({ host: nameserver.address, port: nameserver.port, autoSelectFamily: false })
    socket.on('connect', () => socket.write(Buffer.concat([length, message])))
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      if (received.length < 2 || received.length < received.readUInt16BE(0) + 2) return
      const packet = answerTo(received.subarray(2, received.readUInt16BE(0) + 2), id, question)
      if (packet === undefined) reject(new NameserverTrouble(`nameserver ${label(nameserver)} sent a damaged answer`))
      else resolve(packet)
    })
    const onLost = (error?: Error) =>
      reject(
        new NameserverTrouble(
          `nameserver ${label(nameserver)} closed the connection${error ? `: ${error.message}` : ''}`,
          error && { code: codeOf(error) },
        ),
      )
    socket.on('error', onLost)
    socket.on('close', () => onLost())
    return () => socket.destroy()
  })
}
