import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { resultReport, systemClock, type Job } from '@vedette/wire'
import type { Definition, Observation, Run } from './core/check-type.ts'
import { AssertionPool, createJobRunner } from './run.ts'
import { givenJob } from '../test-support/jobs.ts'

const pool = new AssertionPool({ clock: systemClock })
const context = { signal: new AbortController().signal, clock: systemClock, random: Math.random }
const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})
afterAll(() => pool.stop())

async function givenTarget(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function runReport(job: Job, loadRun?: () => Promise<Run<Definition, unknown>>) {
  const runner = createJobRunner({ pool, ...(loadRun && { loadRun }) })
  const report = await runner(job, context)
  resultReport.parse({ ...report, lease: 'x', clockOffsetMs: 0, replayed: false })
  return report
}
const apiPart = (report: { result: Record<string, unknown> }) => report.result.apiCheckResult as Record<string, never>

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

describe('a job of an API check', () => {
  it('passes with phases, assertions and metrics', async () => {
    const url = await givenTarget((_, response) => response.setHeader('x-shop', 'open').end('{"items":[{"id":7}]}'))
    const report = await runReport(
      givenJob('API', {
        request: {
          url: `${url}/stock`,
          assertions: [
            { source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' },
            { source: 'JSON_BODY', property: '$.items[0].id', comparison: 'EQUALS', target: '7' },
            { source: 'JSON_BODY', property: '$.items.length', comparison: 'GREATER_THAN', target: '0' },
            { source: 'HEADERS', property: 'X-Shop', comparison: 'EQUALS', target: 'open' },
            { source: 'TEXT_BODY', property: '"id":(\\d)', comparison: 'EQUALS', target: '7' },
            { source: 'RESPONSE_TIME', comparison: 'LESS_THAN', target: '4000' },
          ],
        },
      }),
    )
    expect(report.verdict).toMatchObject({ outcome: 'pass', degraded: false, cause: '' })
    expect(report.verdict.assertions.map(({ passed }) => passed)).toEqual([true, true, true, true, true, true])
    expect(Object.keys(report.metrics)).toEqual([
      'responseTime',
      'wait',
      'dns',
      'tcp',
      'tls',
      'firstByte',
      'download',
      'between',
    ])
    expect(report.responseMs).toBe(report.metrics.responseTime)
    expect(apiPart(report)).toMatchObject({ requestError: null, response: { status: 200, truncated: false } })
  })

  it('fails with what was expected and what came', async () => {
    const url = await givenTarget((_, response) => response.end('{"ok":false}'))
    const assertions = [{ source: 'JSON_BODY', property: '$.ok', comparison: 'EQUALS', target: 'true' }]
    const report = await runReport(givenJob('API', { request: { url, assertions } }))
    expect(report.verdict).toMatchObject({ outcome: 'fail', cause: 'Expected JSON body $.ok to equal true, got false' })
  })

  it('never shows a secret, however the target echoes it', async () => {
    const secret = 's3cr3t/+ü "x"'
    const url = await givenTarget((request, response) => {
      void textOf(request).then((body) => {
        const echo = { url: request.url, headers: request.headers, body }
        const base64 = Buffer.from(`1${JSON.stringify(echo)}`).toString('base64')
        response.writeHead(500, {
          'x-echo': encodeURIComponent(secret),
          'set-cookie': 'session=0123456789abcdef; HttpOnly',
          [`x-${Buffer.from(secret).toString('hex')}`]: '1',
        })
        response.end(JSON.stringify({ echo, decoded: decodeURIComponent(request.url ?? ''), again: body, base64 }))
      })
    })
    const job = givenJob(
      'API',
      {
        request: {
          method: 'POST',
          url: `${url}/{{TOKEN}}/{{{PIN}}}`,
          body: '{"t":"{{SIMPLE}}"}',
          bodyType: 'JSON',
          headers: [
            { key: 'x-plain', value: '{{SIMPLE}}' },
            { key: 'X-Api-Key', value: 'typed-by-hand' },
            { key: 'Cookie', value: 'a=1; login=cookie-value' },
          ],
          queryParameters: [{ key: 'q', value: '{{TOKEN}}' }],
          basicAuth: { username: 'joe', password: 'hunter{{SIMPLE}}2' },
          assertions: [
            { source: 'JSON_BODY', property: '$.decoded', comparison: 'EQUALS', target: 'x' },
            { source: 'TEXT_BODY', property: 'typed-(.*?)"', comparison: 'EQUALS', target: 'x' },
            { source: 'HEADERS', property: 'x-echo', comparison: 'EQUALS', target: 'x' },
            { source: 'HEADERS', property: 'set-cookie', comparison: 'IS_EMPTY' },
          ],
        },
        environmentVariables: [{ key: 'SIMPLE', value: 'own-secret', secret: true }],
      },
      {
        variables: [
          { key: 'TOKEN', value: secret, secret: true },
          { key: 'PIN', value: '42', secret: true },
        ],
      },
    )
    const report = await runReport(job)
    const text = JSON.stringify(report)
    expect(apiPart(report)).toMatchObject({ response: { status: 500 } })
    const hidden = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), 'own-secret', 'hunterown']
    const more = ['s3cr3t', 'typed-by-hand', 'cookie-value', '0123456789abcdef', 'czNjcjN0', 'b3duLXNlY3JldA', 'L3NlY']
    for (const part of [...hidden, ...more]) expect(text).not.toContain(part)
    expect(report.verdict.cause).toBe('Expected a status below 400, got 500 Internal Server Error')
  })

  it('names an unknown variable and sends nothing', async () => {
    let requests = 0
    const url = await givenTarget((_, response) => response.end(String((requests += 1))))
    const report = await runReport(givenJob('API', { request: { url: `${url}/{{NOPE}}` } }))
    expect(report.verdict).toMatchObject({ outcome: 'fail', cause: 'Template: unknown variable {{NOPE}}' })
    expect(report.error).toMatchObject({ phase: 'template', network: false })
    expect(requests).toBe(0)
  })

  it('cuts a long body and says so, without leaving half a secret at the cut', async () => {
    const url = await givenTarget((_, response) => response.end(`${'x'.repeat(65_530)}own-secret and more`))
    const variables = [{ key: 'A', value: 'own-secret', secret: true }]
    const report = await runReport(givenJob('API', { request: { url } }, { variables }))
    const { response } = apiPart(report) as unknown as { response: { body: string; truncated: boolean } }
    expect(response.truncated).toBe(true)
    expect(response.body.length).toBeLessThanOrEqual(65_536)
    expect(response.body).not.toContain('own')
  })

  it('takes a long time to answer as degraded, then as failed', async () => {
    const url = await givenTarget((_, response) => setTimeout(() => response.end('late'), 60))
    const degraded = await runReport(givenJob('API', { request: { url }, degradedResponseTime: 20 }))
    expect(degraded.verdict).toMatchObject({ outcome: 'pass', degraded: true, overMaxResponseTime: false })
    const failed = await runReport(givenJob('API', { request: { url }, maxResponseTime: 20 }))
    expect(failed.verdict).toMatchObject({ outcome: 'fail', degraded: false, overMaxResponseTime: true })
    expect(failed.verdict.cause).toMatch(/^Responded in \d+ ms, over the limit of 20 ms$/)
  })
})

describe('a job of a TCP check', () => {
  it('passes when the connection is accepted and the data is as expected', async () => {
    const server = createTcpServer((socket) => socket.end('220 ready\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const assertions = [{ source: 'TEXT_BODY', property: '^220 (\\w+)', comparison: 'EQUALS', target: 'ready' }]
    const request = { url: '127.0.0.1', port, assertions }
    const report = await runReport(givenJob('TCP', { request }))
    expect(report.verdict).toMatchObject({ outcome: 'pass', cause: '' })
    const inverted = await runReport(givenJob('TCP', { request, shouldFail: true }))
    expect(inverted.verdict.cause).toBe(`Expected no connection, but 127.0.0.1:${port} accepted one`)
    server.close()
    const refused = await runReport(givenJob('TCP', { request: { url: '127.0.0.1', port } }))
    expect(refused.verdict.outcome).toBe('fail')
    expect(refused.error).toMatchObject({ code: 'ECONNREFUSED', network: true })
    const expected = await runReport(givenJob('TCP', { request: { url: '127.0.0.1', port }, shouldFail: true }))
    expect(expected.verdict.outcome).toBe('pass')
  })
})

describe('a TCP check of a target that accepts and stays silent', () => {
  const silence = async (fields: Record<string, unknown>, assertions: Record<string, unknown>[]) => {
    const server = createTcpServer(() => undefined)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const request = { url: '127.0.0.1', port: (server.address() as AddressInfo).port, assertions }
    try {
      return await runReport(givenJob('TCP', { request, ...fields }, { timeoutMs: 30_000 }))
    } finally {
      server.close()
    }
  }
  const limits = { degradedResponseTime: 100, maxResponseTime: 300 }

  it.each([
    ['IS_EMPTY', ''],
    ['NOT_CONTAINS', 'ERROR'],
    ['NOT_EQUALS', '220'],
  ])('passes when %s holds, and its response time is the wait', async (comparison, target) => {
    const { verdict, responseMs } = await silence(limits, [{ source: 'RESPONSE_DATA', comparison, target }])
    expect(verdict).toMatchObject({ outcome: 'pass', degraded: false, overMaxResponseTime: false, cause: '' })
    expect(responseMs).toBeGreaterThan(290)
    expect(responseMs).toBeLessThan(3000)
  })

  it.each([
    ['NOT_EMPTY', ''],
    ['CONTAINS', '220'],
  ])('fails when %s does not hold', async (comparison, target) => {
    const { verdict } = await silence(limits, [{ source: 'RESPONSE_DATA', comparison, target }])
    expect(verdict).toMatchObject({ outcome: 'fail', overMaxResponseTime: false })
    expect(verdict.cause).toMatch(/^Expected response data .*, got an empty text$/)
  })

  it('fails when it should not have accepted', async () => {
    const assertions = [{ source: 'RESPONSE_DATA', comparison: 'IS_EMPTY' }]
    const { verdict } = await silence({ ...limits, shouldFail: true }, assertions)
    expect(verdict.cause).toMatch(/^Expected no connection, but .* accepted one$/)
  })

  it('is asked for nothing but the connection without an assertion on data', async () => {
    const { verdict, responseMs } = await silence(limits, [])
    expect(verdict).toMatchObject({ outcome: 'pass', degraded: false })
    expect(responseMs).toBeLessThan(290)
  })
})

describe('a job at a location with a proxy', () => {
  const shop = { request: { url: 'http://shop.example/stock' } }
  const echoing: RequestListener = ({ url, headers }, response) =>
    void response.end(`${url} ${String(headers['proxy-authorization'])} annabel hush-hush`)

  it('goes through it, by address and variables, and never shows user and password', async () => {
    const proxy = new URL(await givenTarget(echoing))
    const variables = [
      { key: 'PASSWORD', value: 'hush/hush', secret: true },
      { key: 'PROXY', value: `http://bob:hush%2Fhush@${proxy.host}`, secret: true },
    ]
    const body = async (address: string) => {
      const report = await runReport(givenJob('API', shop, { proxy: address, variables }))
      return String(apiPart(report)['response']?.['body'])
    }
    expect(await body(`http://annabel:hush-hush@${proxy.host}`)).toMatch(
      /^http:\/\/shop\.example\/stock Basic \*{6}=* \*{6} \*{6}$/,
    )
    for (const address of [`http://bob:{{PASSWORD}}@${proxy.host}`, '{{PROXY}}']) {
      const text = await body(address)
      expect(text).toMatch(/^http:\/\/shop\.example\/stock Basic /)
      expect(text).not.toContain(Buffer.from('bob:hush/hush').toString('base64'))
    }
  })

  it('is not known when the proxy is away or its address cannot be filled', async () => {
    const internalError = async (proxy: string) => (await runReport(givenJob('API', shop, { proxy }))).internalError
    expect(await internalError('http://127.0.0.1:1')).toEqual({
      code: 'PROXY',
      text: 'The proxy of the location, 127.0.0.1:1, cannot be used: 127.0.0.1:1 refused the connection: nothing listens on that port, or a firewall refuses',
    })
    expect(await internalError('http://{{MISSING}}:3128')).toMatchObject({
      code: 'PROXY',
      text: expect.stringContaining('MISSING'),
    })
  })
})

describe('trouble of ours', () => {
  const job = () => givenJob('API', { request: { url: 'http://127.0.0.1:1/' } }, { timeoutMs: 50 })

  it('is not known when a run throws', async () => {
    const report = await runReport(job(), () => Promise.resolve(() => Promise.reject(new Error('our bug'))))
    expect(report.verdict.outcome).toBe('unknown')
    expect(report.internalError).toEqual({ code: 'INTERNAL', text: 'The run failed on our side: our bug' })
  })

  it('is not known when a run ignores its deadline, which is then aborted', async () => {
    let aborted = false
    const stuck: Run<Definition, unknown> = (_, { signal }) =>
      new Promise(() => signal.addEventListener('abort', () => (aborted = true)))
    const report = await runReport(job(), () => Promise.resolve(stuck))
    expect(report.internalError?.text).toContain('did not end by its deadline')
    expect(aborted).toBe(true)
  })

  it('takes none of the time of a run: loading its module does not count', async () => {
    let elapsed = 0
    let leftMs: number | undefined
    const clock = { now: () => elapsed, monotonic: () => elapsed }
    const loadRun = () => {
      elapsed += 10_000
      return Promise.resolve<Run<Definition, unknown>>((_, { deadline }) => {
        leftMs = deadline - elapsed
        return Promise.reject(new Error('seen'))
      })
    }
    await createJobRunner({ pool, loadRun })(job(), { ...context, clock })
    expect(leftMs).toBe(50)
  })

  it('is not known when the type is one this agent cannot run', async () => {
    const report = await runReport({ ...job(), type: 'BROWSER' })
    expect(report.internalError?.code).toBe('UNKNOWN_CHECK_TYPE')
  })
})

describe('a run that is slow while the agent stalls', () => {
  const observed = (total: number, timingUncertaintyMs: number, status = 200): Observation<unknown> => ({
    startedAt: Date.now(),
    stoppedAt: Date.now(),
    timingUncertaintyMs,
    evidence: {
      request: { method: 'GET', url: 'http://x/', headers: {}, params: {}, data: '' },
      response: { status, statusText: '', headers: {}, body: '', truncated: false, timingPhases: { total } },
    },
  })
  const job = () => givenJob('API', { request: { url: 'http://x/' }, degradedResponseTime: 100 })
  const runs = (observations: Observation<unknown>[]) => {
    let count = 0
    const run: Run<Definition, unknown> = () => Promise.resolve(observations[count++] ?? observed(0, 0))
    return { load: () => Promise.resolve(run), count: () => count }
  }

  it('is repeated once, and the repeat counts', async () => {
    const { load, count } = runs([observed(500, 26), observed(20, 0)])
    expect((await runReport(job(), load)).verdict).toMatchObject({ outcome: 'pass', degraded: false })
    expect(count()).toBe(2)
  })

  it('is not repeated without a stall, nor a second time, nor when it failed anyway', async () => {
    const honest = runs([observed(500, 25)])
    expect((await runReport(job(), honest.load)).verdict.degraded).toBe(true)
    expect(honest.count()).toBe(1)
    const twice = runs([observed(500, 90), observed(500, 90), observed(1, 0)])
    expect((await runReport(job(), twice.load)).verdict.degraded).toBe(true)
    expect(twice.count()).toBe(2)
    const broken = runs([observed(500, 90, 503)])
    expect((await runReport(job(), broken.load)).verdict.outcome).toBe('fail')
    expect(broken.count()).toBe(1)
  })
})
