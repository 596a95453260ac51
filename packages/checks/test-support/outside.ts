import { ChildProcess } from 'node:child_process'
import { Socket as UdpSocket } from 'node:dgram'
import { Socket } from 'node:net'

/** Stands between this process and everything outside of it: no packet leaves, and what would have is on record. */
export interface Outside {
  /** `host:port` of every connection and datagram that was stopped, and the arguments of every program. */
  readonly tried: string[]
  /** Ports of this machine that are let through, as 127.0.0.1 only. */
  readonly open: Set<number>
  /** Where questions to the name servers of this machine are sent instead. */
  nameServerPort: number | undefined
  restore(): void
}

type Call<Of> = (this: Of, ...args: unknown[]) => unknown

interface Place {
  host: string
  port: number
}

/** Node hands its own functions a list that was made of the arguments before. */
function placeOf(args: unknown[]): Place {
  const [first, second] = (Array.isArray(args[0]) ? args[0] : args) as [unknown, unknown]
  const { host, port } =
    typeof first === 'object' && first !== null ? (first as Partial<Place>) : { host: second, port: first }
  return { host: typeof host === 'string' ? host : '', port: Number(port) }
}

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

/**
 * Takes the place of the last step before the operating system, below all code of ours, until `restore` is called: what a
 * broken guard lets through is stopped here. Programs are not started.
 */
export function watchOutside(nameServers: readonly Place[]): Outside {
  const stream = Socket.prototype as unknown as { connect: Call<Socket> }
  const datagrams = UdpSocket.prototype as unknown as { connect: Call<UdpSocket>; send: Call<UdpSocket> }
  const programs = ChildProcess.prototype as unknown as { spawn: Call<ChildProcess> }
  const before = { connect: stream.connect, bind: datagrams.connect, send: datagrams.send, spawn: programs.spawn }
  const outside: Outside = {
    tried: [],
    open: new Set(),
    nameServerPort: undefined,
    restore() {
      stream.connect = before.connect
      Object.assign(datagrams, { connect: before.bind, send: before.send })
      programs.spawn = before.spawn
    },
  }
  const asking = new Set<number>()
  const isOpen = ({ host, port }: Place) => host === '127.0.0.1' && outside.open.has(port)
  const note = ({ host, port }: Place) => void outside.tried.push(`${host}:${port}`)

  stream.connect = function connect(...args) {
    const place = placeOf(args)
    if (isOpen(place)) return before.connect.apply(this, args)
    note(place)
    process.nextTick(() => this.destroy(refused()))
    return this
  }
  datagrams.connect = function connect(...args) {
    const place = placeOf(args)
    const asked = nameServers.some(({ host, port }) => host === place.host && port === place.port)
    if (asked && outside.nameServerPort !== undefined) {
      this.once('connect', () => asking.add(this.address().port))
      return before.bind.call(this, outside.nameServerPort, '127.0.0.1')
    }
    if (isOpen(place)) return before.bind.apply(this, args)
    note(place)
    process.nextTick(() => this.emit('error', refused()))
    return undefined
  }
  datagrams.send = function send(...args) {
    const place = placeOf(args.slice(1))
    const isConnected = typeof args[1] !== 'number'
    // The name server of a test answers from this process.
    if (isConnected || asking.has(place.port)) return before.send.apply(this, args)
    note(place)
    return undefined
  }
  programs.spawn = function spawn(...args) {
    const options = args[0] as { args?: string[] }
    outside.tried.push((options.args ?? []).join(' '))
    return before.spawn.call(this, { ...options, file: '/no program is started here' })
  }
  return outside
}
