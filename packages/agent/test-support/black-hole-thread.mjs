import { createServer } from 'node:net'
import { parentPort } from 'node:worker_threads'

// Listens and never accepts: this thread stands still, so that the few places of the kernel's queue stay taken.
const server = createServer().listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
  parentPort.postMessage(server.address().port)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
