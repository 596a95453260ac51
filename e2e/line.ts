import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** The line between a browser and the server, which can be cut or fall silent while both ends live. */
export interface Line {
  /** Where the browser finds the server. */
  url: string
  /** Connections are kept and carry nothing any more: neither end is told. */
  fallSilent(): void
  /** Ends all connections and refuses new ones. */
  cut(): Promise<void>
  /** Carries new connections again. */
  mend(): Promise<void>
  stop(): Promise<void>
}

export async function startLine(server: string): Promise<Line> {
  const target = new URL(server)
  const sockets = new Set<Socket>()
  let isSilent = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    return socket
  }
  const listener = createServer((near) => {
    keep(near)
    if (isSilent) return
    const far = keep(connect(Number(target.port), target.hostname))
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
    near.pipe(far)
    far.pipe(near)
  })
  const listen = async (port: number) => void (await once(listener.listen(port, '127.0.0.1'), 'listening'))
  await listen(0)
  const { port } = listener.address() as AddressInfo
  const cut = async () => {
    if (!listener.listening) return
    const closed = once(listener, 'close')
    listener.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return {
    url: `http://127.0.0.1:${port}`,
    fallSilent() {
      isSilent = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    cut,
    async mend() {
      isSilent = false
      for (const socket of sockets) socket.destroy()
      if (!listener.listening) await listen(port)
    },
    stop: cut,
  }
}
