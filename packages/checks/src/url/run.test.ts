import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '@vedette/wire'
import { givenDefinition, givenJob } from '../../test-support/jobs.ts'
import { startTestServers } from '../../test-support/servers.ts'
import { runJob } from '../run.ts'
import { urlCheckType } from './definition.ts'

const servers = startTestServers()
afterEach(() => servers.closeAll())

async function got(path: string, sent: Record<string, unknown> = {}, request: Record<string, unknown> = {}) {
  const seen: string[] = []
  const port = await servers.adopt(
    createServer((asked, answer) => {
      seen.push(`${asked.method} ${asked.url}`)
      if (asked.url === '/moved') answer.writeHead(302, { location: '/' })
      if (asked.url === '/gone') answer.statusCode = 410
      answer.end('hello')
    }),
  )
  const job = givenJob('URL', { request: { url: `http://127.0.0.1:${port}${path}`, ...request }, ...sent })
  const report = await runJob(job, { signal: new AbortController().signal, clock: systemClock, random: Math.random })
  return { seen, report }
}

const expecting = (comparison: string, target: string) => ({ source: 'STATUS_CODE', comparison, target })

describe('a run of a URL check', () => {
  it('gets the address and follows redirects', async () => {
    const { seen, report } = await got('/moved')
    expect(seen).toEqual(['GET /moved', 'GET /'])
    expect(report).toMatchObject({ verdict: { outcome: 'pass' }, statusCode: 200 })
    expect(report.result).toMatchObject({ apiCheckResult: { response: { body: 'hello' } } })
  })

  it('fails with the status of the answer, or passes when that is expected', async () => {
    const { report } = await got('/gone')
    expect(report.verdict).toMatchObject({ outcome: 'fail', cause: 'Expected a status below 400, got 410 Gone' })
    expect((await got('/gone', { shouldFail: true })).report.verdict.outcome).toBe('pass')
  })

  it('compares the status with what its assertions say', async () => {
    const asserted = (comparison: string, target: string) =>
      got('/moved', {}, { followRedirects: false, assertions: [expecting(comparison, target)] })
    expect((await asserted('EQUALS', '302')).report.verdict.outcome).toBe('pass')
    expect((await asserted('LESS_THAN', '300')).report.verdict).toMatchObject({
      outcome: 'fail',
      cause: expect.stringContaining('302'),
    })
  })
})

describe('the definition of a URL check', () => {
  it('has its own limits, and its address gets a scheme', () => {
    expect(givenDefinition(urlCheckType, { request: { url: 'shop.example' } })).toMatchObject({
      request: { method: 'GET', url: 'https://shop.example', followRedirects: true, skipSSL: false },
      degradedResponseTime: 3000,
      maxResponseTime: 5000,
    })
  })

  it('is read from an address that is pasted', () => {
    expect(urlCheckType.fromText?.('shop.example/pay')).toEqual({
      name: 'shop.example',
      values: { 'request.url': 'https://shop.example/pay' },
    })
    for (const text of ['', 'shop', 'curl https://shop.example', 'ftp://shop.example'])
      expect(urlCheckType.fromText?.(text), text).toBeUndefined()
  })
})
