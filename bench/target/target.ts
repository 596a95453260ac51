import { createServer, type Socket } from 'node:net'

// A target in its own process, so that its CPU is not counted, on bare sockets, so that it uses little. By messages its
// parent makes requests fail, and asks when they arrived.
const body = JSON.stringify({
  status: 'ok',
  items: Array.from({ length: 20 }, (_, id) => ({ id, name: `item ${id}` })),
})
const failing = new Map<string, number>()
const arrivals: Arrival[] = []

/** What was asked for, and when, in epoch milliseconds. */
export type Arrival = [path: string, at: number]

const endOfHead = '\r\n\r\n'
const asksToClose = /^connection:\s*close/im

const answer = (status: string, connection: string): Buffer =>
  Buffer.from(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: ${connection}${endOfHead}${body}`,
  )
const answers = {
  closing: { passing: answer('200 OK', 'close'), failing: answer('500 Internal Server Error', 'close') },
  keeping: { passing: answer('200 OK', 'keep-alive'), failing: answer('500 Internal Server Error', 'keep-alive') },
}

function isToFail(path: string): boolean {
  const failures = failing.get(path) ?? 0
  if (failures === 0) return false
  failing.set(path, failures - 1)
  process.send?.({ failed: path, at: Date.now() })
  return true
}

function serve(socket: Socket, head: string): void {
  const path = head.split(' ', 2)[1] ?? '/'
  arrivals.push([path, Date.now()])
  const closes = asksToClose.test(head)
  const { passing, failing: failed } = closes ? answers.closing : answers.keeping
  const bytes = isToFail(path) ? failed : passing
  if (closes) socket.end(bytes)
  else socket.write(bytes)
}

const server = createServer((socket) => {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    for (let end = text.indexOf(endOfHead); end >= 0; end = text.indexOf(endOfHead)) {
      serve(socket, text.slice(0, end))
      text = text.slice(end + endOfHead.length)
    }
  })
  socket.on('error', () => socket.destroy())
}).listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () =>
  process.send?.({ port: (server.address() as { port: number }).port }),
)

process.on('message', (order: { fail: string; times: number } | { tell: 'arrivals' }) => {
  if ('fail' in order) failing.set(order.fail, order.times)
  else process.send?.({ arrivals: arrivals.splice(0) })
})
process.on('disconnect', () => process.exit(0))
