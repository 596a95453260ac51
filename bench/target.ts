import { createServer } from 'node:http'

// A target in its own process, so that its CPU is not counted. Its parent makes requests fail by a message.
const body = JSON.stringify({
  status: 'ok',
  items: Array.from({ length: 20 }, (_, id) => ({ id, name: `item ${id}` })),
})
const failing = new Map<string, number>()

const server = createServer((request, response) => {
  const path = request.url ?? '/'
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

process.on('message', (message: { fail: string; times: number }) => failing.set(message.fail, message.times))
process.on('disconnect', () => process.exit(0))
