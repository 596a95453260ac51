import { createServer, type RequestListener } from 'node:http'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, constants } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { startDeadline } from '../deadline.ts'
import { createEgress } from '../egress/egress.ts'
import type { HttpRequest } from './http-message.ts'
import { createHttpEngine, type HttpEngineOptions } from './http.ts'
import { startTestServers, trusted } from '../../../test-support/servers.ts'

const servers = startTestServers()
afterEach(() => servers.closeAll())

const serve = (listener: RequestListener) => servers.adopt(createServer(listener))

const requestTo = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url: new URL(url),
  headers: [],
  body: undefined,
  family: 'IPv4',
  followRedirects: true,
  skipSSL: false,
  ...more,
})

async function send(request: HttpRequest, limitMs = 5000, options: Partial<HttpEngineOptions> = {}) {
  const engine = createHttpEngine({ egress: createEgress(), now: Date.now, ...options })
  const deadline = startDeadline(limitMs)
  const startedAt = performance.now()
  try {
    return { ...(await engine.send(request, trusted, deadline)), tookMs: performance.now() - startedAt }
  } finally {
    deadline.close()
  }
}

describe('an HTTP exchange', () => {
  it('answers status, headers, body and every phase', async () => {
    const port = await serve((_, response) => {
      response.writeHead(
        201,
        'Made',
        [
          ['X-One', 'a'],
          ['x-one', 'b'],
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
        ].flat(),
      )
      response.write('hel')
      setTimeout(() => response.end('lo'), 30)
    })
    const { response, error } = await send(requestTo(`http://127.0.0.1:${port}/path?q=1`))
    expect(error).toBeUndefined()
    expect(response).toMatchObject({ status: 201, statusText: 'Made', body: 'hello', bodyBytes: 5, truncated: false })
    expect(response?.headers).toMatchObject({ 'x-one': 'a, b', 'set-cookie': 'a=1\nb=2' })
    expect(response).toMatchObject({ remoteAddress: '127.0.0.1', ipFamily: 'IPv4', httpVersion: '1.1' })
    const phases = response?.timingPhases
    expect(phases?.download).toBeGreaterThan(20)
    expect(phases?.total).toBeGreaterThanOrEqual(phases?.download ?? Infinity)
    expect(response?.timings.end).toBeGreaterThanOrEqual(response?.timings.response ?? Infinity)
  })

  it('opens a new connection each time and asks to close it', async () => {
    const connections: string[] = []
    const port = await serve((request, response) => {
      connections.push(`${request.socket.remotePort} ${request.headers.connection}`)
      response.end()
    })
    await send(requestTo(`http://127.0.0.1:${port}/`))
    await send(requestTo(`http://127.0.0.1:${port}/`))
    expect(new Set(connections).size).toBe(2)
    expect(connections.every((connection) => connection.endsWith(' close'))).toBe(true)
  })

  it('sends method, headers in their spelling, host and exact length', async () => {
    let seen: unknown
    const port = await serve((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        seen = { method: request.method, raw: request.rawHeaders, body: Buffer.concat(chunks).toString() }
        response.end('ok')
      })
    })
    const headers = [
      ['X-MiXed', '1'],
      ['content-length', '9999'],
    ] as const
    await send(requestTo(`http://127.0.0.1:${port}/`, { method: 'PUT', headers, body: Buffer.from('grün') }))
    expect(seen).toEqual({
      method: 'PUT',
      raw: ['Host', `127.0.0.1:${port}`, 'X-MiXed', '1', 'Content-Length', '5', 'Connection', 'close'],
      body: 'grün',
    })
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['gzip, br', (data: Buffer) => brotliCompressSync(gzipSync(data))],
  ] as const)('undoes %s', async (coding, compress) => {
    const text = 'squeezed '.repeat(5000)
    const port = await serve((_, response) => {
      response.setHeader('content-encoding', coding)
      response.end(compress(Buffer.from(text)))
    })
    const { response } = await send(requestTo(`http://127.0.0.1:${port}/`))
    expect(response?.body).toBe(text)
    expect(response?.bodyBytes).toBe(text.length)
  })

  it('needs no decoder for an answer to HEAD or an empty body', async () => {
    const port = await serve((_, response) => {
      response.setHeader('content-encoding', 'gzip')
      response.end()
    })
    expect((await send(requestTo(`http://127.0.0.1:${port}/`, { method: 'HEAD' }))).error).toBeUndefined()
    expect((await send(requestTo(`http://127.0.0.1:${port}/`))).error).toBeUndefined()
  })

  it('decodes the charset the content type names', async () => {
    const port = await serve((_, response) => {
      response.setHeader('content-type', 'text/plain; charset="ISO-8859-1"')
      response.end(Buffer.from('gr\u00fcn', 'latin1'))
    })
    expect((await send(requestTo(`http://127.0.0.1:${port}/`))).response?.body).toBe('grün')
  })

  it('keeps nothing in the text that a database would refuse', async () => {
    const port = await serve((_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('a\0b'))
    expect((await send(requestTo(`http://127.0.0.1:${port}/`))).response?.body).toBe('a\uFFFDb')
  })

  it('puts a notice in place of binary content unless text is wanted', async () => {
    const port = await serve((_, response) => {
      response.setHeader('content-type', 'image/png')
      response.end('PNG!')
    })
    const shown = await send(requestTo(`http://127.0.0.1:${port}/`))
    expect(shown.response?.body).toBe('[binary content, image/png, 4 bytes, not shown]')
    const asText = await send(requestTo(`http://127.0.0.1:${port}/`, { binaryAsText: true }))
    expect(asText.response?.body).toBe('PNG!')
  })
})

describe('redirects', () => {
  it('with credentials of their own neither send nor tell them', async () => {
    let seen: unknown
    const port = await serve((request, response) => {
      seen = request.headers.authorization
      if (request.url === '/end') return response.end()
      return response.writeHead(302, { location: `http://u:p@${request.headers.host}/end` }).end()
    })
    const { response } = await send(requestTo(`http://127.0.0.1:${port}/`))
    expect(seen).toBeUndefined()
    expect(response?.href).toBe(`http://127.0.0.1:${port}/end`)
    expect(response?.redirects[0]?.location).toBe(`http://127.0.0.1:${port}/end`)
  })

  it('are followed, with every hop on record', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/end') return response.end('arrived')
      return response.writeHead(302, { location: request.url === '/' ? '/next' : 'end' }).end()
    })
    const { response } = await send(requestTo(`http://127.0.0.1:${port}/`))
    expect(response?.body).toBe('arrived')
    expect(response?.href).toBe(`http://127.0.0.1:${port}/end`)
    expect(response?.redirects.map(({ location }) => new URL(location).pathname)).toEqual(['/next', '/end'])
    const { wait: _, total, ...steps } = response?.timingPhases ?? { wait: 0, total: NaN }
    expect(Object.values<number>(steps).reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(total, 6)
    expect(steps).toHaveProperty('between')
  })

  it('are answers when they are not to be followed', async () => {
    const port = await serve((_, response) => response.writeHead(302, { location: '/x' }).end('moved'))
    const { response } = await send(requestTo(`http://127.0.0.1:${port}/`, { followRedirects: false }))
    expect(response).toMatchObject({ status: 302, body: 'moved', redirects: [] })
  })

  it.each([
    [301, 'POST', 'GET', ''],
    [302, 'PUT', 'PUT', 'data'],
    [303, 'PUT', 'GET', ''],
    [303, 'HEAD', 'HEAD', ''],
    [307, 'POST', 'POST', 'data'],
    [308, 'DELETE', 'DELETE', 'data'],
  ])('of %i turn %s into %s', async (status, method, expected, body) => {
    let seen = ''
    const port = await serve((request, response) => {
      if (request.url === '/') return response.writeHead(status, { location: '/to' }).end()
      request.setEncoding('utf8')
      seen = `${request.method} ${request.headers['content-type'] ?? 'none'} `
      request.on('data', (chunk) => (seen += chunk))
      return request.on('end', () => response.end())
    })
    const headers = [['Content-Type', 'text/x']] as const
    const data = method === 'HEAD' ? undefined : Buffer.from('data')
    await send(requestTo(`http://127.0.0.1:${port}/`, { method, headers, body: data }))
    const keepsType = method === 'HEAD' || body !== ''
    expect(seen).toBe(`${expected} ${keepsType ? 'text/x' : 'none'} ${body}`)
  })

  it('carry credentials and secret headers to the same origin only', async () => {
    const seen: string[] = []
    const note: RequestListener = (request, response) => {
      const names = ['authorization', 'cookie', 'x-token', 'x-other']
      seen.push(names.map((name) => String(request.headers[name])).join(' '))
      response.end()
    }
    const other = await serve(note)
    const port = await serve((request, response) => {
      if (request.url === '/same') return note(request, response)
      const location = request.url === '/' ? '/same' : `http://127.0.0.1:${other}/`
      return response.writeHead(307, { location }).end()
    })
    const more = {
      headers: [
        ['Authorization', 'A'],
        ['Cookie', 'C'],
        ['X-Token', 'T'],
        ['X-Other', 'O'],
      ] as const,
      confidential: new Set(['x-token']),
    }
    await send(requestTo(`http://127.0.0.1:${port}/`, more))
    await send(requestTo(`http://127.0.0.1:${port}/away`, more))
    expect(seen).toEqual(['A C T O', 'undefined undefined undefined O'])
  })

  it.each([
    ['UTF-8', Buffer.from('/größe 1', 'utf8')],
    ['Latin-1', Buffer.from('/größe 1', 'latin1')],
  ])('are followed where their address holds bare %s', async (_, bytes) => {
    const seen: unknown[] = []
    const port = await serve((request, response) => {
      seen.push(decodeURIComponent(request.url ?? ''))
      if (seen.length > 1) return response.end()
      return response.writeHead(302, { location: bytes.toString('latin1') }).end()
    })
    expect((await send(requestTo(`http://127.0.0.1:${port}/`))).response?.status).toBe(200)
    expect(seen).toEqual(['/', '/größe 1'])
  })

  it('in a loop, without end, to another scheme or to nonsense fail in words', async () => {
    let count = 0
    const port = await serve((request, response) => {
      const locations: Record<string, string> = {
        '/loop': '/back',
        '/back': '/loop',
        '/file': 'file:///etc/passwd',
        '/bad': 'http://[',
      }
      response.writeHead(302, { location: locations[request.url ?? ''] ?? `/n${(count += 1)}` }).end()
    })
    const codeOf = async (path: string) => (await send(requestTo(`http://127.0.0.1:${port}${path}`))).error?.code
    expect(await codeOf('/loop')).toBe('REDIRECT_LOOP')
    expect(await codeOf('/endless')).toBe('TOO_MANY_REDIRECTS')
    expect(count).toBe(21)
    expect(await codeOf('/file')).toBe('REDIRECT_INVALID')
    expect(await codeOf('/bad')).toBe('REDIRECT_INVALID')
  })

  it('to a metadata address are denied, and nothing is sent there', async () => {
    const port = await serve((_, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
    )
    const { error, response } = await send(requestTo(`http://127.0.0.1:${port}/`))
    expect(error).toMatchObject({ phase: 'egress', code: 'EGRESS_DENIED', network: false })
    expect(error?.text).toContain('169.254.169.254')
    expect(response?.status).toBe(302)
  })
})

describe('a target that misbehaves is data, within the deadline', () => {
  it('refuses', async () => {
    const port = await servers.tcp(() => undefined)
    await servers.closeAll()
    const { error, response } = await send(requestTo(`http://127.0.0.1:${port}/`))
    expect(error).toEqual({
      phase: 'tcp',
      code: 'ECONNREFUSED',
      text: `TCP: 127.0.0.1:${port} refused the connection: nothing listens on that port, or a firewall refuses`,
      network: true,
    })
    expect(response).toBeUndefined()
  })

  it('is said to be at port 0, which is not port 80', async () => {
    const { error } = await send(requestTo('http://127.0.0.1:0/'))
    expect(error?.phase).toBe('tcp')
    expect(error?.text).toContain('127.0.0.1:0')
  })

  it('hangs after connecting', async () => {
    const port = await servers.tcp(() => undefined)
    const { error, tookMs } = await send(requestTo(`http://127.0.0.1:${port}/`), 200)
    expect(error).toMatchObject({ phase: 'firstByte', code: 'ETIMEDOUT', network: true })
    expect(error?.text).toBe(`HTTP: connected to 127.0.0.1:${port}, but no answer within 200 ms`)
    expect(tookMs).toBeLessThan(1500)
  })

  it('drips its headers', async () => {
    const port = await servers.tcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => socket.write('x: y\r\n'), 20)
      socket.on('close', () => clearInterval(drip))
    })
    const { error } = await send(requestTo(`http://127.0.0.1:${port}/`), 200)
    expect(error?.text).toContain('headers of 127.0.0.1')
    expect(error?.code).toBe('ETIMEDOUT')
  })

  it('drips its body', async () => {
    const port = await serve((_, response) => {
      const drip = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(drip))
    })
    const { error, response } = await send(requestTo(`http://127.0.0.1:${port}/`), 200)
    expect(error).toMatchObject({ phase: 'download', code: 'ETIMEDOUT', network: false })
    expect(response?.truncated).toBe(true)
    expect(response?.body).toMatch(/^x+$/)
  })

  it('sends more than the limit without end', async () => {
    const block = Buffer.alloc(64 * 1024, 97)
    const port = await serve((_, response) => {
      const pour = () => {
        while (!response.destroyed && response.write(block));
      }
      response.on('drain', pour)
      pour()
    })
    const { error, response } = await send(requestTo(`http://127.0.0.1:${port}/`), 10_000)
    expect(error).toMatchObject({ phase: 'download', code: 'BODY_TOO_LARGE' })
    expect(error?.text).toContain('larger than 10 MB')
    expect(response).toMatchObject({ truncated: true, bodyBytes: 10 * 1024 * 1024, status: 200 })
  })

  it.each(['gzip', 'br'] as const)('sends a %s bomb', async (coding) => {
    const zeros = Buffer.alloc(64 * 1024 * 1024)
    const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
    const bomb = coding === 'gzip' ? gzipSync(zeros) : brotliCompressSync(zeros, quick)
    const port = await serve((_, response) => {
      response.setHeader('content-encoding', coding)
      response.end(bomb)
    })
    const { error, response } = await send(requestTo(`http://127.0.0.1:${port}/`), 10_000, { bodyLimitBytes: 100_000 })
    expect(error?.code).toBe('BODY_TOO_LARGE')
    expect(response?.bodyBytes).toBe(100_000)
  })

  it('says gzip and sends something else', async () => {
    const port = await serve((_, response) => {
      response.setHeader('content-encoding', 'gzip')
      response.end('not gzip')
    })
    const { error } = await send(requestTo(`http://127.0.0.1:${port}/`))
    expect(error).toMatchObject({ phase: 'download', code: 'CONTENT_ENCODING' })
  })

  it('cuts its body short', async () => {
    const port = await servers.tcp((socket) => {
      socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc'))
    })
    const { error, response } = await send(requestTo(`http://127.0.0.1:${port}/`))
    expect(error?.text).toContain('3 of 100 bytes had arrived')
    expect(response?.body).toBe('abc')
  })

  it.each([
    ['resets', (socket: { resetAndDestroy(): unknown }) => void socket.resetAndDestroy(), 'ECONNRESET'],
    ['closes', (socket: { end(): unknown }) => void socket.end(), 'ECONNRESET'],
    [
      'talks nonsense',
      (socket: { end(text: string): unknown }) => void socket.end('SSH-2.0-OpenSSH\r\n'),
      'HPE_INVALID_CONSTANT',
    ],
  ] as const)('%s instead of answering', async (_, act, code) => {
    const port = await servers.tcp((socket) => socket.once('data', () => act(socket)))
    const { error } = await send(requestTo(`http://127.0.0.1:${port}/`))
    expect(error).toMatchObject({ phase: 'firstByte', code, network: true })
    expect(error?.text).toContain(`127.0.0.1:${port}`)
  })

  it('sends headers without end', async () => {
    const port = await servers.tcp((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1000)}\r\n`.repeat(100)}\r\n`)
    })
    const { error } = await send(requestTo(`http://127.0.0.1:${port}/`))
    expect(error?.text).toContain('larger than 64 kB')
  })

  it('answers with a status that is none', async () => {
    const port = await servers.tcp((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 000 Fine\r\ncontent-length: 0\r\n\r\n')),
    )
    const { response, error } = await send(requestTo(`http://127.0.0.1:${port}/`))
    expect(response).toBeUndefined()
    expect(error).toMatchObject({ phase: 'firstByte', code: 'INVALID_STATUS', network: true })
    expect(error?.text).toContain('its status is 0')
  })

  it('switches protocols', async () => {
    const port = await servers.tcp((socket) => {
      socket.on('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nraw'),
      )
    })
    const { response, error } = await send(requestTo(`http://127.0.0.1:${port}/`))
    expect(error).toBeUndefined()
    expect(response?.status).toBe(101)
  })

  it('a header that cannot be sent is told, not thrown', async () => {
    const port = await serve((_, response) => response.end())
    const { error } = await send(requestTo(`http://127.0.0.1:${port}/`, { headers: [['x', 'a\nb']] }))
    expect(error).toMatchObject({ phase: 'request', code: 'INVALID_REQUEST', network: false })
  })
})
