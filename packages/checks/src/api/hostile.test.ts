import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { TlsOptions } from 'node:tls'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createTestAuthority } from '../../test-support/certificates.ts'
import { drip, hostileTargets, pour } from '../../test-support/hostile.ts'
import { givenJob } from '../../test-support/jobs.ts'

const targets = hostileTargets()
const authority = createTestAuthority()
afterEach(() => targets.closeAll())
afterAll(() => authority.remove())

const megabyte = 1024 * 1024
/** What the system may hold between two sockets of this machine, besides what was read. */
const buffered = 16 * megabyte

type Act = (socket: Socket) => void
interface Row {
  act: Act
  code: string
  says: RegExp
  /** Of the run; for targets that never come to an end. */
  timeoutMs?: number
  /** Most bytes that the target gets rid of. */
  takes?: number
}

const job = (
  port: number,
  { timeoutMs = 10_000, ...request }: { timeoutMs?: number; scheme?: string; [field: string]: unknown } = {},
) => {
  const { scheme = 'http', ...more } = request
  return givenJob(
    'API',
    { request: { url: `${String(scheme)}://127.0.0.1:${port}/`, skipSSL: true, ...more } },
    { timeoutMs },
  )
}

/** Waits for the request, then answers. */
const answering =
  (act: Act): Act =>
  (socket) =>
    void socket.once('data', () => act(socket))
const saying = (text: string | Buffer, end = false): Act =>
  answering((socket) => {
    socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text)
    if (end) socket.end()
  })
const head = 'HTTP/1.1 200 OK\r\n'
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`

/** A head, then the same again without end. */
const endless = (start: string, block: string | Buffer): Act =>
  answering((socket) => {
    socket.write(start)
    pour(socket, Buffer.from(block as string, 'latin1'))
  })

const manyHeaders = Array.from({ length: 10_000 }, (_, index) => `h${index}: 1\r\n`).join('')

const heads: Record<string, Row> = {
  'pours headers': {
    act: endless(head, 'x: y\r\n'.repeat(1000)),
    code: 'HPE_HEADER_OVERFLOW',
    says: /headers of \S+ are larger than 64 kB/,
    takes: buffered,
  },
  'pours one header': {
    act: endless(`${head}x: `, 'y'.repeat(10_000)),
    code: 'HPE_HEADER_OVERFLOW',
    says: /larger than 64 kB/,
    takes: buffered,
  },
  'pours a status line': {
    act: endless('HTTP/1.1 200 ', 'y'.repeat(10_000)),
    code: 'HPE_HEADER_OVERFLOW',
    says: /larger than 64 kB/,
    takes: buffered,
  },
  'sends ten thousand headers': {
    act: saying(`${head}${manyHeaders}\r\n`),
    code: 'TOO_MANY_HEADERS',
    says: /has more than 2000 headers/,
  },
  'drips headers': {
    act: answering((socket) => {
      socket.write(head)
      drip(socket, 'x: y\r\n')
    }),
    code: 'ETIMEDOUT',
    says: /headers of \S+ were not complete within/,
    timeoutMs: 300,
  },
  'pours interim answers': {
    act: endless('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(500)),
    code: 'TOO_MANY_INTERIM',
    says: /interim/,
    takes: buffered,
  },
  'pours early hints': {
    act: endless('', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(500)),
    code: 'TOO_MANY_INTERIM',
    says: /interim/,
    takes: buffered,
  },
  'drips interim answers': {
    act: answering((socket) => drip(socket, 'HTTP/1.1 102 Processing\r\n\r\n')),
    code: 'ETIMEDOUT',
    says: /answer|complete/,
    timeoutMs: 300,
  },
  'has a line feed of its own in a header': {
    act: saying(`${head}x: a\nSet-Cookie: b\rc\r\n\r\n`),
    code: 'HPE_',
    says: /is not valid HTTP/,
  },
  'has a NUL in a header': {
    act: saying(`${head}x: a\0b\r\n\r\n`),
    code: 'HPE_INVALID_HEADER_TOKEN',
    says: /a header has a character/,
  },
  'has a space in the name of a header': {
    act: saying(`${head}x y: a\r\n\r\n`),
    code: 'HPE_INVALID_HEADER_TOKEN',
    says: /a header has a character/,
  },
  'sends random bytes': {
    act: saying(Buffer.concat([Buffer.from([0]), randomBytes(5000)])),
    code: 'HPE_',
    says: /is not valid HTTP/,
  },
  'pours random bytes': {
    act: (socket) => pour(socket, Buffer.concat([Buffer.from([0]), randomBytes(5000)])),
    code: '',
    says: /is not valid HTTP|reset the connection/,
    takes: buffered,
  },
  'closes the connection at once': {
    act: (socket) => void socket.end(),
    code: 'ECONNRESET',
    says: /closed or reset the connection without an answer/,
  },
  'resets the connection at once': {
    act: (socket) => void socket.resetAndDestroy(),
    code: 'ECONNRESET',
    says: /reset/,
  },
  'closes after half a status line': {
    act: saying('HTTP/1.', true),
    code: 'ECONNRESET',
    says: /in the middle of the response headers/,
  },
  'closes in the middle of a header': {
    act: saying(`${head}x: y`, true),
    code: 'ECONNRESET',
    says: /in the middle of the response headers/,
  },
  'closes after an interim answer': {
    act: saying('HTTP/1.1 103 Early Hints\r\n\r\n', true),
    code: 'ECONNRESET',
    says: /closed or reset the connection/,
  },
  'answers before it is asked, and resets': {
    act: (socket) => void (socket.write('HTTP/1.1 200'), socket.resetAndDestroy()),
    code: 'ECONNRESET',
    says: /reset/,
  },
  'redirects in circles': {
    act: saying('HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n', true),
    code: 'REDIRECT_LOOP',
    says: /was visited before/,
  },
  'says nothing': { act: () => undefined, code: 'ETIMEDOUT', says: /but no answer within/, timeoutMs: 300 },
}
const bodies: Record<string, Row> = {
  'pours a body': {
    act: endless(`${head}\r\n`, 'x'.repeat(65_536)),
    code: 'BODY_TOO_LARGE',
    says: /larger than 10 MB/,
    takes: 10 * megabyte + buffered,
  },
  'pours chunks': {
    act: endless(chunked, `64\r\n${'x'.repeat(100)}\r\n`.repeat(500)),
    code: 'BODY_TOO_LARGE',
    says: /larger than 10 MB$/,
    takes: 11 * megabyte + buffered,
  },
  'pours chunks of one byte': {
    act: endless(chunked, '1\r\nx\r\n'.repeat(5000)),
    code: 'BODY_IN_CRUMBS',
    says: /more than 100000 of its chunks have less than 16 bytes/,
    takes: buffered,
  },
  'pours the extension of a chunk': {
    act: endless(`${chunked}1;`, 'x'.repeat(10_000)),
    code: 'HPE_',
    says: /chunk/,
    takes: buffered,
  },
  'pours trailers': {
    act: endless(`${chunked}0\r\n`, 'x: y\r\n'.repeat(1000)),
    code: 'HPE_',
    says: /./,
    takes: buffered,
  },
  'pours digits of the size of a chunk': {
    act: endless(chunked, '0'.repeat(10_000)),
    code: 'ETIMEDOUT',
    says: /did not end within 300 ms: 0 bytes had arrived/,
    timeoutMs: 300,
  },
  'drips a body': {
    act: answering((socket) => {
      socket.write(`${head}\r\n`)
      drip(socket, 'x')
    }),
    code: 'ETIMEDOUT',
    says: /did not end within .* bytes had arrived/,
    timeoutMs: 300,
  },
  'closes in the middle of a body': {
    act: saying(`${chunked}5\r\nhel`, true),
    code: 'ECONNRESET',
    says: /before the answer was complete: 3 bytes had arrived/,
  },
  'has a NUL in its status line and no body': {
    act: saying('HTTP/1.1 200 O\0K\r\nContent-Length: 5\r\n\r\n', true),
    code: 'ECONNRESET',
    says: /0 of 5 bytes had arrived/,
  },
  'resets in the middle of a body': {
    act: answering((socket) => {
      socket.write(`${head}Content-Length: 9\r\n\r\nhel`, () => socket.resetAndDestroy())
    }),
    code: 'ECONNRESET',
    says: /before the answer was complete/,
  },
  'promises more than it has': {
    act: saying(`${head}Content-Length: 999999999999\r\n\r\nabc`, true),
    code: 'ECONNRESET',
    says: /3 of 999999999999 bytes had arrived/,
  },
  'pours compressed nothing': {
    act: endless(`${head}Content-Encoding: gzip\r\n\r\n`, gzipSync('').toString('latin1').repeat(500)),
    code: 'BODY_TOO_LARGE',
    says: /larger than 10 MB while still compressed/,
    takes: 10 * megabyte + buffered,
  },
}

/** Compressed that often, a few kilobytes become as many megabytes. */
const nested = (times: number): Buffer => (times === 0 ? Buffer.alloc(64 * megabyte) : gzipSync(nested(times - 1)))
const record = (type: number, bytes: Buffer, length = bytes.length) =>
  Buffer.concat([Buffer.from([type, 3, 3, length >> 8, length & 0xff]), bytes])
const warning = record(21, Buffer.from([1, 90]))

/** Instead of a handshake. */
const handshakes: Record<string, Row> = {
  'sends random bytes': {
    act: saying(Buffer.concat([Buffer.from([0]), randomBytes(5000)])),
    code: 'ERR_SSL_',
    says: /does not speak TLS on this port/,
  },
  'pours warnings': {
    act: endless('', Buffer.concat(Array.from({ length: 500 }, () => warning))),
    code: 'ERR_SSL_',
    says: /TLS handshake/,
    takes: buffered,
  },
  'pours empty records': {
    act: endless('', record(22, Buffer.alloc(0)).toString('latin1').repeat(500)),
    code: 'ERR_SSL_',
    says: /TLS/,
    takes: buffered,
  },
  'promises a record that is too long': {
    act: saying(record(22, Buffer.alloc(9), 0xffff)),
    code: 'ERR_SSL_',
    says: /TLS/,
  },
  'stops in the middle of a record': {
    act: saying(record(22, Buffer.alloc(9), 500)),
    code: 'ETIMEDOUT',
    says: /the TLS handshake did not finish within \d+ ms/,
    timeoutMs: 300,
  },
  'drips a record': {
    act: answering((socket) => {
      socket.write(record(22, Buffer.from([2]), 16_000))
      drip(socket, '\0')
    }),
    code: 'ETIMEDOUT',
    says: /the TLS handshake did not finish/,
    timeoutMs: 300,
  },
  'closes in the middle of a record': {
    act: saying(record(22, Buffer.alloc(9), 500), true),
    code: 'ECONNRESET',
    says: /during the TLS handshake/,
  },
  'resets after the first message': {
    act: answering((socket) => void socket.resetAndDestroy()),
    code: 'ECONNRESET',
    says: /during the TLS handshake/,
  },
  'is silent': {
    act: () => undefined,
    code: 'ETIMEDOUT',
    says: /the TLS handshake did not finish within \d+ ms/,
    timeoutMs: 300,
  },
}

/** After the handshake. */
const secured: Record<string, Row> = {
  'closes at once': {
    act: (socket) => void socket.end(),
    code: 'ECONNRESET',
    says: /closed or reset the connection without an answer/,
  },
  'resets at once': {
    act: (socket) => void socket.destroy(),
    code: 'ECONNRESET',
    says: /closed or reset the connection without an answer/,
  },
  'is silent': { act: () => undefined, code: 'ETIMEDOUT', says: /no answer within/, timeoutMs: 300 },
  'pours headers': {
    act: endless(head, 'x: y\r\n'.repeat(1000)),
    code: 'HPE_HEADER_OVERFLOW',
    says: /larger than 64 kB/,
    takes: buffered,
  },
  'closes in the middle of a body': {
    act: saying(`${head}Content-Length: 9\r\n\r\nhel`, true),
    code: 'ECONNRESET',
    says: /3 of 9 bytes had arrived/,
  },
}

const run = async ({ act, code, says, timeoutMs, takes }: Row, more: object = {}, tls?: TlsOptions) => {
  const port = await (tls === undefined ? targets.listen(act) : targets.listenTls(tls, act))
  const report = await targets.survive(job(port, { ...(timeoutMs && { timeoutMs }), ...more }))
  expect(report.error?.text).toMatch(says)
  expect(report.error?.code).toContain(code)
  expect(targets.sentBytes()).toBeLessThanOrEqual(takes ?? Infinity)
  return report
}

describe('a target of an API check that', () => {
  it.each(Object.entries(heads))('%s is a failure that says so', async (_, row) => {
    expect((await run(row)).verdict.outcome).toBe('fail')
  })
  it.each(Object.entries(bodies))('%s is a failure with its status', async (_, row) => {
    expect((await run(row)).statusCode).toBe(200)
  })
  it.each(Object.entries(handshakes))('%s in place of a handshake is a failure that says so', async (_, row) => {
    expect((await run(row, { scheme: 'https' })).statusCode).toBeNull()
  })
  it.each(Object.entries(secured))('%s after the handshake is a failure that says so', async (_, row) => {
    expect((await run(row, { scheme: 'https' }, authority.leaf())).certificateNotAfter).not.toBeNull()
  })

  it('has a chain of certificates beyond all bounds is a failure that says so', async () => {
    const { cert, key } = authority.leaf()
    const tls = { key, cert: cert + authority.ca.repeat(400) }
    await run({ act: () => undefined, code: 'ERR_SSL_', says: /TLS handshake: .*message/ }, { scheme: 'https' }, tls)
  })

  it.each([
    ['large', nested(3), 'after decompression'],
    [
      'large on the way to nothing',
      gzipSync(gzipSync(Buffer.alloc(20 * megabyte, gzipSync('')))),
      'while still compressed',
    ],
  ])('answers with a few bytes that become %s is a failure', async (_, bomb, when) => {
    const act = saying(Buffer.concat([Buffer.from(`${head}Content-Encoding: gzip, gzip, gzip\r\n\r\n`), bomb]), true)
    await run({ act, code: 'BODY_TOO_LARGE', says: new RegExp(`larger than 10 MB ${when}`) })
    expect(bomb.length).toBeLessThan(50_000)
  })

  it('redirects and pours a body with it is followed without reading that', async () => {
    let requests = 0
    const act = answering((socket) => {
      requests += 1
      socket.write(`HTTP/1.1 302 Found\r\nLocation: /${requests}${'x'.repeat(10_000)}\r\n\r\n`)
      pour(socket, Buffer.alloc(65_536, 'x'))
    })
    await run({ act, code: 'TOO_MANY_REDIRECTS', says: /more than 20 in a row/ })
    expect([requests, targets.opened()]).toEqual([21, 21])
  })

  it('never reads what it is sent is a failure', async () => {
    const act = (socket: Socket) => void socket.pause()
    const body = 'x'.repeat(200_000)
    const row = { act, code: 'ETIMEDOUT', says: /no answer within/, timeoutMs: 300 }
    await run(row, { method: 'POST', bodyType: 'RAW', body })
  })
})
