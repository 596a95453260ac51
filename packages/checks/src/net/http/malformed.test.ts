import type { Socket } from 'node:net'
import { createServer as createHttpsServer } from 'node:https'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startDeadline } from '../deadline.ts'
import { createEgress } from '../egress/egress.ts'
import { createHttpEngine } from './http.ts'
import { createTestAuthority } from '../../../test-support/certificates.ts'
import { startTestServers, trusted } from '../../../test-support/servers.ts'

const servers = startTestServers()
const authority = createTestAuthority()
afterEach(() => servers.closeAll())
afterAll(() => authority.remove())

async function send(port: number, scheme: 'http' | 'https' = 'http') {
  const deadline = startDeadline(5000)
  const fixed = { method: 'GET', headers: [], body: undefined, family: 'IPv4' as const, followRedirects: true }
  const url = new URL(`${scheme}://127.0.0.1:${port}/`)
  const engine = createHttpEngine({ egress: createEgress(), now: Date.now })
  try {
    return await engine.send({ ...fixed, url, skipSSL: true }, trusted, deadline)
  } finally {
    deadline.close()
  }
}

/** A server that answers the first bytes it hears with these, and then closes or keeps the connection. */
const answering = (bytes: string, end: boolean) =>
  servers.tcp((socket: Socket) =>
    socket.once('data', () => {
      socket.write(Buffer.from(bytes, 'latin1'))
      if (end) socket.end()
    }),
  )

const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

describe('a body', () => {
  it.each([
    ['a size that is no number', 'zz\r\nhello\r\n', 'HPE_INVALID_CHUNK_SIZE', 0],
    ['a wrong size after a good chunk', '5\r\nhello\r\nzz\r\n', 'HPE_INVALID_CHUNK_SIZE', 5],
    ['a size beyond all bounds', 'fffffffffffffffffff\r\nhello\r\n', 'HPE_INVALID_CHUNK_SIZE', 0],
    ['more bytes in a chunk than its size says', '3\r\nhello\r\n0\r\n\r\n', 'HPE_STRICT', 3],
  ])('whose chunks are malformed (%s) is called so', async (_, body, code, received) => {
    const port = await answering(chunked + body, false)
    const { error, response } = await send(port)
    expect(error).toMatchObject({ phase: 'download', code, network: false })
    expect(error?.text).toMatch(
      new RegExp(
        `^Download: the body sent by 127\\.0\\.0\\.1:${port} has malformed chunks \\(.+\\): ${received} bytes had arrived$`,
      ),
    )
    expect(response).toMatchObject({ status: 200, truncated: true, bodyBytes: received })
  })

  it.each([
    ['in the middle of a chunk', `${chunked}ff\r\nhello`, '5 bytes had arrived, and the last chunk had not'],
    ['before its last chunk', `${chunked}5\r\nhello\r\n`, '5 bytes had arrived, and the last chunk had not'],
    ['before its length', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello', '5 of 50 bytes had arrived'],
  ])('that ends %s is called incomplete', async (_, answer, text) => {
    const port = await answering(answer, true)
    const { error, response } = await send(port)
    expect(error).toMatchObject({ phase: 'download', code: 'ECONNRESET', network: false })
    expect(error?.text).toBe(
      `Download: 127.0.0.1:${port} closed the connection before the answer was complete: ${text}`,
    )
    expect(response?.body).toBe('hello')
  })
})

describe('a response head', () => {
  const withLength = (length: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\nhello`

  it.each([
    ['a word', withLength('five'), /its Content-Length is not a number, or too large a one/],
    ['a negative number', withLength('-5'), /its Content-Length is not a number, or too large a one/],
    ['a number beyond all bounds', withLength('9'.repeat(30)), /too large a one \(Content-Length overflow\)/],
    ['given twice', withLength('5\r\nContent-Length: 6'), /it has a second Content-Length/],
    ['given beside chunks', withLength('5\r\nTransfer-Encoding: chunked'), /Transfer-Encoding .*Content-Length/],
  ])('whose Content-Length is %s is called so', async (_, answer, text) => {
    const { error, response } = await send(await answering(answer, false))
    expect(error).toMatchObject({ phase: 'firstByte', network: true })
    expect(error?.text).toMatch(/^HTTP: the answer of 127\.0\.0\.1:\d+ is not valid HTTP: /)
    expect(error?.text).toMatch(text)
    expect(response).toBeUndefined()
  })
})

describe('a fatal alert of TLS', () => {
  it.each([
    [40, 'handshake_failure', /no cipher or parameters in common/],
    [42, 'bad_certificate', /asks for a client certificate/],
    [46, 'certificate_unknown', /does not accept the client certificate/],
    [48, 'unknown_ca', /does not know the authority that issued the client certificate/],
    [49, 'access_denied', /refuses access/],
    [70, 'protocol_version', /no TLS version that is still considered safe/],
    [71, 'insufficient_security', /demands stronger ciphers/],
    [80, 'internal_error', /has trouble of its own/],
    [112, 'unrecognized_name', /does not know the requested host name/],
    [116, 'certificate_required', /asks for a client certificate/],
    [120, 'no_application_protocol', /none of the application protocols/],
  ])('%i is told by its name, %s, and its meaning', async (number, name, meaning) => {
    const port = await answering(`\x15\x03\x03\x00\x02\x02${String.fromCharCode(number)}`, false)
    const { error } = await send(port, 'https')
    expect(error).toMatchObject({ phase: 'tls', network: true })
    expect(error?.text).toMatch(
      new RegExp(`^TLS: 127\\.0\\.0\\.1:${port} ended the TLS handshake with the alert ${name}: it [^:]+$`),
    )
    expect(error?.text).toMatch(meaning)
  })

  it('is told too when it comes after the handshake, as TLS 1.3 refuses clients without certificate', async () => {
    const options = { ...authority.leaf(), requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.3' as const }
    const port = await servers.adopt(createHttpsServer(options, (_, response) => response.end('never')))
    const { error, response } = await send(port, 'https')
    expect(error).toMatchObject({ phase: 'tls', code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' })
    expect(error?.text).toBe(
      `TLS: 127.0.0.1:${port} ended the TLS connection after the handshake with the alert certificate_required: it asks for a client certificate`,
    )
    expect(response).toBeUndefined()
  })
})
