import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { createServer } from 'node:tls'
import { createTestAuthority } from '../../test-support/certificates.ts'
import type { Behaviour, Target } from '../../test-support/contract.ts'

/** The smallest check a user can send whose target has a certificate of its own. For the suite over all check types. */
export const leastCheck = (port: number, host = '127.0.0.1') => ({
  name: 'least',
  request: { sslConfig: { hostname: host, port, skipChainValidation: true } },
})

/** Handshakes have neither a text nor a status code. */
export const goodAnswer = { text: '', statusCode: null }

/** A server on this machine with a certificate, one that keeps silent, or none. */
export async function startTarget(behaviour: Behaviour): Promise<Target> {
  const authority = createTestAuthority()
  const server = behaviour === 'well' ? createServer(authority.leaf()) : createTcpServer()
  authority.remove()
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  }
  if (behaviour === 'refuses') await close()
  return { port, named: String(port), close }
}
