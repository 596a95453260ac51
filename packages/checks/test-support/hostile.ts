import type { Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { expect } from 'vitest'
import type { Job } from '@vedette/wire'
import type { ReportBody } from '../src/run.ts'
import { runOnce } from './run-once.ts'
import { startTestServers } from './servers.ts'

/** Most characters of a whole report: what is kept of an answer, and some room for the rest. */
const mostReported = 25_000_000

/** Timers that were started and neither fired nor were cleared. */
function watchTimers() {
  const { setTimeout: start, setInterval: repeat, clearTimeout: clear, clearInterval: end } = globalThis
  const running = new Set<unknown>()
  const started = <Timer>(timer: Timer): Timer => {
    running.add(timer)
    return timer
  }
  const cleared = (timer: Parameters<typeof clear>[0]) => {
    running.delete(timer)
    clear(timer)
  }
  Object.assign(globalThis, {
    setTimeout: Object.assign((call: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
      const timer: NodeJS.Timeout = start(() => {
        running.delete(timer)
        call(...args)
      }, ms)
      return started(timer)
    }, start),
    setInterval: (...args: Parameters<typeof repeat>) => started(repeat(...args)),
    clearTimeout: cleared,
    clearInterval: cleared,
  })
  return {
    running,
    restore: () =>
      Object.assign(globalThis, { setTimeout: start, setInterval: repeat, clearTimeout: clear, clearInterval: end }),
  }
}

/** Runs against a hostile target, and sees that the run ended as its failure, left no timer and can be reported. */
export async function survive(job: Job, ended: () => Promise<unknown> = () => Promise.resolve()): Promise<ReportBody> {
  const timers = watchTimers()
  let report: ReportBody
  try {
    report = await runOnce(job)
    await ended()
    expect(timers.running.size).toBe(0)
  } finally {
    timers.restore()
  }
  expect(report.internalError).toBeNull()
  expect(report.verdict.outcome).toBe('fail')
  const text = JSON.stringify(report)
  expect(text.length).toBeLessThan(mostReported)
  expect(text).not.toContain(String.raw`\u0000`)
  return report
}

/** Real listeners that misbehave, and what became of a run against one. */
export function hostileTargets() {
  const servers = startTestServers()
  const connections: { socket: Socket; closed: Promise<unknown> }[] = []
  const watch = (socket: Socket) => {
    connections.push({ socket, closed: new Promise((resolve) => socket.once('close', resolve)) })
  }
  return {
    /** Listens for connections and has `act` do its worst with each. Answers the port. */
    listen: (act: (socket: Socket) => void) =>
      servers.tcp((socket) => {
        watch(socket)
        // A connection that is not read does not notice its end.
        socket.on('end', () => socket.destroy())
        act(socket)
        socket.resume()
      }),
    /** The same, with a handshake before. */
    listenTls(options: TlsOptions, act: (socket: Socket) => void) {
      const server = createTlsServer(options, (socket) => {
        socket.on('error', () => socket.destroy())
        socket.on('end', () => socket.destroy())
        act(socket)
        socket.resume()
      })
      server.on('connection', watch)
      server.on('tlsClientError', () => undefined)
      return servers.adopt(server)
    },
    /** Bytes that the peers took, or that were on their way to them. */
    sentBytes: () => connections.reduce((sum, { socket }) => sum + socket.bytesWritten, 0),
    opened: () => connections.length,
    /** The same as `survive`, and sees that all connections were closed. */
    survive: (job: Job) => survive(job, () => Promise.all(connections.map(({ closed }) => closed))),
    async closeAll() {
      await servers.closeAll()
      connections.length = 0
    },
  }
}

/** Writes that again and again, as fast as the peer takes it. */
export function pour(socket: Socket, block: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(block));
  }
  socket.on('drain', more)
  more()
}

/** Writes that every few milliseconds. */
export function drip(socket: Socket, bytes: string | Buffer): void {
  const timer = setInterval(() => socket.write(bytes), 5)
  socket.on('close', () => clearInterval(timer))
}
