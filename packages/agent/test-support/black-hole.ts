import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'

/** A port of this machine that answers no connection, as a target does behind a firewall that drops everything. */
export async function givenBlackHole() {
  const thread = new Worker(new URL('./black-hole-thread.mjs', import.meta.url))
  const [port] = (await once(thread, 'message')) as [number]
  // The first ones fill the queue of the listener.
  const fillers: Socket[] = []
  for (let count = 0; count < 4; count += 1) {
    fillers.push(connect(port, '127.0.0.1').on('error', () => undefined))
  }
  await once(fillers[1] as Socket, 'connect')
  return {
    port,
    async close() {
      for (const socket of fillers) socket.destroy()
      await thread.terminate()
    },
  }
}
