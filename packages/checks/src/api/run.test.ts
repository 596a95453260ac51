import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock, type JobVariable } from '@vedette/wire'
import type { EgressPolicy, RunContext } from '../core/check-type.ts'
import { createEgress } from '../net/egress/egress.ts'
import { createResolver } from '../net/dns/dns.ts'
import { publicOnly, startTestServers, trusted } from '../../test-support/servers.ts'
import { completeApiRequest, type ApiRequest } from './request-shape.ts'
import { createApiRun, run } from './run.ts'

const servers = startTestServers()
afterEach(() => servers.closeAll())
const serve = (listener: RequestListener) => servers.adopt(createServer(listener))

function contextWith(more: Partial<RunContext> = {}, limitMs = 5000): RunContext {
  return {
    signal: new AbortController().signal,
    deadline: performance.now() + limitMs,
    egress: trusted,
    variables: [],
    clock: systemClock,
    random: () => 0.5,
    ...more,
  }
}

const definitionOf = (request: Partial<ApiRequest> & { url: string }) => ({ request: completeApiRequest(request) })

/** Answers with all it was sent. */
const echo: RequestListener = (request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => response.end(JSON.stringify(seenBy(request, Buffer.concat(chunks).toString()))))
}
const seenBy = ({ method, url, headers }: IncomingMessage, body: string) => ({ method, url, headers, body })

async function echoed(request: Partial<ApiRequest> & { path?: string }, variables: JobVariable[] = []) {
  const port = await serve(echo)
  const { path = '/', ...rest } = request
  const observation = await run(
    definitionOf({ url: `http://127.0.0.1:${port}${path}`, ...rest }),
    contextWith({ variables }),
  )
  const body = observation.evidence?.response?.body ?? 'null'
  return { observation, port, seen: JSON.parse(body) as ReturnType<typeof seenBy> }
}

const plain = (key: string, value: string): JobVariable => ({ key, value, secret: false })
const pair = (key: string, value: string, locked = false) => ({ key, value, locked })

describe('a run of an API check', () => {
  it('observes the answer, its times and how far they can be trusted', async () => {
    const before = Date.now()
    const { observation } = await echoed({})
    expect(observation.error).toBeUndefined()
    expect(observation.internalError).toBeUndefined()
    expect(observation.evidence?.response?.status).toBe(200)
    expect(observation.startedAt).toBeGreaterThanOrEqual(before)
    expect(observation.stoppedAt).toBeGreaterThanOrEqual(observation.startedAt)
    expect(observation.timingUncertaintyMs).toBeGreaterThanOrEqual(0)
  })

  it('says who it is and what it takes, unless the check says otherwise', async () => {
    const { seen } = await echoed({})
    expect(seen.headers).toMatchObject({ accept: '*/*', 'accept-encoding': 'gzip, deflate, br' })
    expect(seen.headers['user-agent']).toMatch(/^Vedette\/\d+\.\d+\.\d+/)
    const own = await echoed({ headers: [pair('user-AGENT', 'mine'), pair('Accept', 'text/x')] })
    expect(own.seen.headers).toMatchObject({ 'user-agent': 'mine', accept: 'text/x' })
  })

  it('fills templates: encoded in the address, as they are elsewhere', async () => {
    const variables = [plain('WHO', 'a b&c/d'), plain('PASS', 'p:w')]
    const { seen, observation } = await echoed(
      {
        method: 'POST',
        path: '/{{WHO}}/{{{WHO}}}?x={{WHO}}',
        queryParameters: [pair('q', '{{WHO}}')],
        headers: [pair('X-Who', '{{WHO}}')],
        bodyType: 'RAW',
        body: 'I am {{WHO}}',
        basicAuth: { username: '{{WHO}}', password: '{{PASS}}' },
      },
      variables,
    )
    expect(seen.url).toBe('/a%20b%26c%2Fd/a%20b&c/d?x=a%20b%26c%2Fd&q=a+b%26c%2Fd')
    expect(seen.headers['x-who']).toBe('a b&c/d')
    expect(seen.body).toBe('I am a b&c/d')
    expect(seen.headers.authorization).toBe(`Basic ${Buffer.from('a b&c/d:p:w').toString('base64')}`)
    expect(observation.evidence?.request).toMatchObject({
      params: { q: 'a b&c/d' },
      data: 'I am a b&c/d',
      method: 'POST',
    })
  })

  it('takes the scheme from a first template', async () => {
    const port = await serve(echo)
    const variables = [plain('BASE', `http://127.0.0.1:${port}`)]
    const observation = await run(definitionOf({ url: '{{BASE}}/x' }), contextWith({ variables }))
    expect(observation.evidence?.response?.status).toBe(200)
  })

  it('names an unknown variable and sends nothing', async () => {
    const port = await serve(echo)
    const observation = await run(definitionOf({ url: `http://127.0.0.1:${port}/{{NOPE}}` }), contextWith())
    expect(observation.error).toMatchObject({ phase: 'template', network: false })
    expect(observation.error?.text).toContain('NOPE')
    expect(observation.evidence).toBeUndefined()
  })

  it.each(['ftp://x/', 'no address', 'http://'])('says that %s is no address', async (url) => {
    const observation = await run(definitionOf({ url }), contextWith())
    expect(observation.error).toMatchObject({ phase: 'request', code: 'INVALID_URL', network: false })
    expect(observation.error?.text).toContain(url)
  })

  it.each([
    ['JSON', '{"a":1}', 'application/json', '{"a":1}'],
    ['FORM', 'a=1&b=2', 'application/x-www-form-urlencoded', 'a=1&b=2'],
    ['RAW', 'raw', undefined, 'raw'],
    ['GRAPHQL', '{ me { id } }', 'application/json', '{"query":"{ me { id } }"}'],
    ['GRAPHQL', '{"query":"{ me }","variables":{}}', 'application/json', '{"query":"{ me }","variables":{}}'],
    ['NONE', 'ignored', undefined, ''],
  ] as const)('sends a %s body %s as %s', async (bodyType, body, contentType, sent) => {
    const { seen } = await echoed({ method: 'POST', bodyType, body })
    expect(seen.headers['content-type']).toBe(contentType)
    expect(seen.headers['content-length']).toBe(String(sent.length))
    expect(seen.body).toBe(sent)
  })

  it('keeps credentials of the address out of what it tells', async () => {
    const port = await serve(echo)
    const observation = await run(definitionOf({ url: `http://me:p%40ss@127.0.0.1:${port}/#top` }), contextWith())
    expect(observation.evidence?.request.url).toBe(`http://127.0.0.1:${port}/`)
    expect(observation.evidence?.response?.href).toBe(`http://127.0.0.1:${port}/`)
    const seen = JSON.parse(observation.evidence?.response?.body ?? '{}') as ReturnType<typeof seenBy>
    expect(seen.headers.authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`)
  })

  it('does not carry a header with a secret to another origin', async () => {
    const seen: unknown[] = []
    const other = await serve((request, response) => {
      seen.push(request.headers['x-token'], request.headers['x-locked'], request.headers['x-plain'])
      response.end()
    })
    const port = await serve((_, response) => response.writeHead(302, { location: `http://127.0.0.1:${other}/` }).end())
    const headers = [pair('X-Token', 'T {{TOKEN}}'), pair('X-Locked', 'l', true), pair('X-Plain', 'p')]
    const variables = [{ key: 'TOKEN', value: 's3cret', secret: true }]
    await run(definitionOf({ url: `http://127.0.0.1:${port}/`, headers }), contextWith({ variables }))
    expect(seen).toEqual([undefined, undefined, 'p'])
  })

  it('shows binary content as text where an assertion wants to read it', async () => {
    const port = await serve((_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('PNG'))
    const url = `http://127.0.0.1:${port}/`
    const assertion = {
      source: 'TEXT_BODY' as const,
      comparison: 'NOT_EMPTY' as const,
      property: '',
      target: '',
      regex: null,
    }
    const bodyOf = async (assertions: ApiRequest['assertions']) =>
      (await run(definitionOf({ url, assertions }), contextWith())).evidence?.response?.body
    expect(await bodyOf([])).toContain('binary content')
    expect(await bodyOf([assertion])).toBe('PNG')
  })

  it('never outlives its deadline, whatever the target does', async () => {
    const port = await servers.tcp(() => undefined)
    const startedAt = performance.now()
    const observation = await run(definitionOf({ url: `http://127.0.0.1:${port}/` }), contextWith({}, 150))
    expect(observation.error).toMatchObject({ phase: 'firstByte', code: 'ETIMEDOUT', network: true })
    expect(performance.now() - startedAt).toBeLessThan(1500)
    const late = await run(definitionOf({ url: `http://127.0.0.1:${port}/` }), contextWith({}, -1))
    expect(late.error?.code).toBe('ETIMEDOUT')
  })

  it('that is cancelled says nothing about the target', async () => {
    const port = await servers.tcp(() => undefined)
    const controller = new AbortController()
    const running = run(definitionOf({ url: `http://127.0.0.1:${port}/` }), contextWith({ signal: controller.signal }))
    setImmediate(() => controller.abort())
    const observation = await running
    expect(observation.internalError?.code).toBe('CANCELLED')
    expect(observation.error).toBeUndefined()
  })

  it('reports a name that does not exist, and a denied target, as data', async () => {
    const port = await servers.dns(() => ({ rcode: 3 }))
    const resolve = createResolver({ nameservers: [{ address: '127.0.0.1', port }], hosts: new Map() })
    const gone = await createApiRun(createEgress({ resolve }))(
      definitionOf({ url: 'http://gone.example/' }),
      contextWith(),
    )
    expect(gone.error).toEqual({
      phase: 'dns',
      code: 'DNS_NXDOMAIN',
      text: 'DNS: gone.example does not exist in DNS (NXDOMAIN)',
      network: true,
    })
    const denied = await run(definitionOf({ url: 'http://localhost:1/' }), contextWith({ egress: publicOnly }))
    expect(denied.error?.code).toBe('EGRESS_DENIED')
    const own: EgressPolicy = { privateTargets: true, deniedTargets: [{ address: '0.0.0.0', port: 8080 }] }
    const self = await run(definitionOf({ url: 'http://localhost:8080/' }), contextWith({ egress: own }))
    expect(self.error?.text).toContain('it belongs to Vedette itself')
  })
})
