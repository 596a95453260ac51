import { createServer } from 'node:http'

// The peer: `node:http` alone, which answers every request with what an event is answered with, and stores nothing.

const answer = JSON.stringify({ stored: true, reason: null })
const server = createServer((request, response) => {
  request.resume()
  response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined })
})
process.on('disconnect', () => process.exit(0))
