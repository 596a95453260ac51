import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect, type AddressInfo, type Socket } from 'node:net'

export interface TestProxy {
  port: number
  /** What it was asked to connect to, in order. */
  asked: string[]
  stop(): Promise<void>
}

interface ProxyOptions {
  /** Port on this machine to which every tunnel leads, whatever name was asked for. */
  leadsTo: number
  /** User and password without which it answers 407. */
  credentials?: string
  /** It speaks TLS itself. */
  certificate?: { key: string; cert: string }
  /** Answers nothing to CONNECT. */
  isSilent?: boolean
}

/** A proxy that opens tunnels (CONNECT) on a real socket, and refuses all else. */
export async function startProxy({ leadsTo, credentials, certificate, isSilent }: ProxyOptions): Promise<TestProxy> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const server: Server = certificate === undefined ? createServer() : createHttpsServer(certificate)
  const wanted = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.on('request', (_, response) => response.writeHead(403).end())
  server.on('connect', (request, client: Socket) => {
    client.on('error', () => undefined)
    asked.push(request.url ?? '')
    if (isSilent === true) return
    if (request.headers['proxy-authorization'] !== wanted)
      return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const target = connect(leadsTo, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      target.pipe(client).pipe(target)
    })
    sockets.add(target)
    target.on('error', () => client.destroy())
    target.on('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
