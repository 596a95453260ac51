import { decode } from 'dns-packet'
import { dnsReply } from '../../test-support/servers.ts'

/**
 * The smallest check a user can send, with a port of this machine as the name server. For the suite over all check types.
 */
export const leastCheck = (port: number, host = '127.0.0.1') => ({
  name: 'least',
  request: {
    query: `on-${port}.example`,
    recordType: 'A',
    nameServer: host,
    port,
    protocol: 'TCP',
  },
})

/** What a healthy name server answers, and the status code that follows from it. */
export const goodAnswer = {
  text: (received: Buffer) => {
    const query = decode(received.subarray(2))
    const name = query.questions?.[0]?.name ?? ''
    const reply = dnsReply(query, { answers: [{ type: 'A', name, data: '192.0.2.1', ttl: 300 }] })
    const length = Buffer.alloc(2)
    length.writeUInt16BE(reply.length)
    return Buffer.concat([length, reply])
  },
  statusCode: null,
}
