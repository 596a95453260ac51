import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A TCP relay on loopback that can behave like a network that drops packets. */
export interface Relay {
  /** The address with this relay instead of the server behind it. */
  through(url: string): string
  /** Connections so far pass nothing any more, in neither direction, and are not closed; new ones work. */
  muteOpen(): void
  /** Nothing passes, also on new connections, until `heal`. */
  muteAll(): void
  /** New connections pass again. Those that were mute stay mute, as after packets were dropped for long. */
  heal(): void
  close(): Promise<void>
}

interface Pair {
  from: Socket
  to: Socket
}

/** Opens a relay to the server that a database address names. */
export async function openRelay(url: string): Promise<Relay> {
  const target = new URL(url)
  const pairs = new Set<Pair>()
  let muted = false
  const server = createServer((from) => {
    const to = connect(Number(target.port), target.hostname)
    const pair = { from, to }
    pairs.add(pair)
    for (const socket of [from, to]) socket.on('error', () => undefined)
    if (muted) return mute(pair)
    from.pipe(to)
    to.pipe(from)
    from.once('close', () => to.destroy())
    to.once('close', () => from.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const muteOpen = () => {
    for (const pair of pairs) mute(pair)
  }
  return {
    through(address) {
      const own = new URL(address)
      own.host = `127.0.0.1:${port}`
      return own.href
    },
    muteOpen,
    muteAll() {
      muted = true
      muteOpen()
    },
    heal() {
      muted = false
    },
    async close() {
      for (const { from, to } of pairs) {
        from.destroy()
        to.destroy()
      }
      server.close()
      await once(server, 'close')
    },
  }
}

/** The end of a connection is a packet too: neither side hears of it. */
function mute({ from, to }: Pair): void {
  for (const socket of [from, to]) {
    socket.unpipe()
    socket.removeAllListeners('close')
    socket.pause()
  }
}
