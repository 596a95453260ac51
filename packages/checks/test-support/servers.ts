import { createServer, type Server, type Socket } from 'node:net'
import { createSocket } from 'node:dgram'
import { decode, encode, type Answer, type Packet } from 'dns-packet'
import type { Job } from '@vedette/wire'

/**
 * Real listeners on loopback for the tests of this folder and its neighbours. Everything opened is closed by
 * `closeAll`.
 */
export interface TestServers {
  /** A raw TCP server; answers its port. */
  tcp(onSocket: (socket: Socket) => void): Promise<number>
  /** Closes this server too. */
  adopt(server: Server): Promise<number>
  /** A UDP nameserver; `answer` returns undefined to keep silent. */
  dns(answer: (query: Packet) => TestAnswer | undefined): Promise<number>
  closeAll(): Promise<void>
}

export interface TestAnswer {
  rcode?: number
  answers?: Answer[]
  truncated?: boolean
  delayMs?: number
  /** Overrides of the reply, to forge one. */
  id?: number
  question?: string
}

export const trusted: Job['egress'] = { privateTargets: true, deniedTargets: [] }
export const publicOnly: Job['egress'] = { privateTargets: false, deniedTargets: [] }

const portOf = (server: Server): number => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return address.port
}

/** Reply to a query as bytes for the wire. */
export function dnsReply(query: Packet, answer: TestAnswer): Buffer {
  const [asked] = query.questions ?? []
  const { id = query.id, question = asked?.name, rcode = 0, answers = [] } = answer
  const truncated = answer.truncated === true ? 0x0200 : 0
  return encode({
    type: 'response',
    id: id ?? 0,
    flags: 0x0180 | truncated | rcode,
    questions: [{ type: asked?.type ?? 'A', name: question ?? '', class: 'IN' }],
    answers,
  })
}

export function startTestServers(): TestServers {
  const closing: (() => Promise<void>)[] = []
  const adopt = (server: Server): Promise<number> =>
    new Promise((resolve, reject) => {
      const sockets = new Set<Socket>()
      server.on('connection', (socket: Socket) => {
        sockets.add(socket)
        socket.on('error', () => socket.destroy())
        socket.on('close', () => sockets.delete(socket))
      })
      closing.push(
        () =>
          new Promise((closed) => {
            for (const socket of sockets) socket.destroy()
            server.close(() => closed())
          }),
      )
      server.once('error', reject)
      server.listen(0, '127.0.0.1', () => resolve(portOf(server)))
    })
  return {
    adopt,
    tcp: (onSocket) => adopt(createServer(onSocket)),
    dns: (answer) =>
      new Promise((resolve) => {
        const socket = createSocket('udp4')
        const timers = new Set<NodeJS.Timeout>()
        socket.on('message', (message, from) => {
          const query = decode(message)
          const reply = answer(query)
          if (reply === undefined) return
          timers.add(setTimeout(() => socket.send(dnsReply(query, reply), from.port, from.address), reply.delayMs ?? 0))
        })
        closing.push(
          () =>
            new Promise((closed) => {
              for (const timer of timers) clearTimeout(timer)
              socket.close(() => closed())
            }),
        )
        socket.bind(0, '127.0.0.1', () => resolve(socket.address().port))
      }),
    async closeAll() {
      await Promise.all(closing.splice(0).map((close) => close()))
    },
  }
}
