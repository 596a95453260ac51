import { createServer } from 'node:http'

// A target in its own process, so that its CPU is not counted. By messages its parent makes requests fail, and asks when
// they arrived.
const body = JSON.stringify({
  status: 'ok',
  items: Array.from({ length: 20 }, (_, id) => ({ id, name: `item ${id}` })),
})
const failing = new Map<string, number>()
const arrivals: Arrival[] = []

/** What was asked for, and when, in epoch milliseconds. */
export type Arrival = [path: string, at: number]

const server = createServer((request, response) => {
  const path = request.url ?? '/'
  arrivals.push([path, performance.timeOrigin + performance.now()])
  const failures = failing.get(path) ?? 0
  response.setHeader('connection', 'close')
  if (failures > 0) {
    failing.set(path, failures - 1)
    response.statusCode = 500
    process.send?.({ failed: path, at: Date.now() })
  }
  response.setHeader('content-type', 'application/json')
  response.end(body)
}).listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))

process.on('message', (order: { fail: string; times: number } | { tell: 'arrivals' }) => {
  if ('fail' in order) failing.set(order.fail, order.times)
  else process.send?.({ arrivals: arrivals.splice(0) })
})
process.on('disconnect', () => process.exit(0))
