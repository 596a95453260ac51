import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '@vedette/wire'
import type { RunContext } from '../core/check-type.ts'
import { publicOnly, startTestServers, trusted } from '../../test-support/servers.ts'
import { completeTcpRequest, type TcpRequest } from './request-shape.ts'
import { run } from './run.ts'

const servers = startTestServers()
afterEach(() => servers.closeAll())

function connectTo(
  { maxResponseTime = 5000, ...request }: Partial<TcpRequest> & { port: number; maxResponseTime?: number | null },
  more: Partial<RunContext> = {},
  limitMs = 30_000,
) {
  return run(
    { request: completeTcpRequest({ hostname: '127.0.0.1', ...request }), maxResponseTime },
    {
      signal: new AbortController().signal,
      deadline: performance.now() + limitMs,
      egress: trusted,
      variables: [],
      clock: systemClock,
      random: Math.random,
      ...more,
    },
  )
}

const readsData = [
  { source: 'RESPONSE_DATA' as const, comparison: 'NOT_EMPTY' as const, property: '', target: '', regex: null },
]

describe('a run of a TCP check', () => {
  it('connects and no more when nothing is to be said or heard', async () => {
    const port = await servers.tcp((socket) => void socket.write('220 ready'))
    const { evidence, error } = await connectTo({ port })
    expect(error).toBeUndefined()
    expect(evidence?.response).toMatchObject({ data: '', remoteAddress: '127.0.0.1', timingPhases: { data: 0 } })
    expect(evidence?.response?.timingPhases.total).toBeGreaterThan(0)
    expect(evidence?.request).toEqual({ hostname: '127.0.0.1', port, data: null, ipFamily: 'IPv4' })
  })

  it('reads a greeting when an assertion looks at it', async () => {
    const port = await servers.tcp((socket) => void socket.end('220 ready'))
    expect((await connectTo({ port, assertions: readsData })).evidence?.response?.data).toBe('220 ready')
  })

  it('sends data and takes the answer once the peer falls silent', async () => {
    const port = await servers.tcp((socket) =>
      socket.on('data', (data: Buffer) => {
        socket.write(`you said ${data.toString()}`)
        setTimeout(() => socket.write(', and more'), 30)
      }),
    )
    const { evidence } = await connectTo({ port, data: 'PING' })
    expect(evidence?.response?.data).toBe('you said PING, and more')
    const { data, total } = evidence?.response?.timingPhases ?? { data: NaN, total: NaN }
    expect(data).toBeGreaterThan(25)
    expect(total).toBeLessThan(900)
  })

  it('keeps 64 kB of an endless answer', async () => {
    const port = await servers.tcp((socket) => {
      const pour = () => {
        while (!socket.destroyed && socket.write('x'.repeat(8192)));
      }
      socket.on('drain', pour)
      pour()
    })
    const { evidence, error } = await connectTo({ port, data: 'go' })
    expect(error).toBeUndefined()
    expect(evidence?.response).toMatchObject({ truncated: true })
    expect(evidence?.response?.data.length).toBe(64 * 1024)
  })

  it('reports a refusal as data', async () => {
    const port = await servers.tcp(() => undefined)
    await servers.closeAll()
    const { evidence, error } = await connectTo({ port })
    expect(error).toMatchObject({
      phase: 'tcp',
      code: 'ECONNREFUSED',
      text: `TCP: 127.0.0.1:${port} refused the connection: nothing listens on that port, or a firewall refuses`,
    })
    expect(evidence?.response).toBeUndefined()
  })

  it('reports silence after data as data, within the deadline', async () => {
    const port = await servers.tcp(() => undefined)
    const { evidence, error } = await connectTo({ port, data: 'hello?' }, {}, 150)
    expect(error).toMatchObject({ phase: 'data', code: 'ETIMEDOUT' })
    expect(error?.text).toMatch(/but it sent nothing within 1\d\d ms$/)
    expect(evidence?.response?.data).toBe('')
  })

  it('waits for data that an assertion looks at for as long as the response may take, and no longer', async () => {
    const port = await servers.tcp(() => undefined)
    const began = performance.now()
    const { evidence, error } = await connectTo({ port, assertions: readsData, maxResponseTime: 300 })
    expect(performance.now() - began).toBeLessThan(5000)
    expect(error).toBeUndefined()
    expect(evidence?.response?.data).toBe('')
    const { data, total } = evidence?.response?.timingPhases ?? { data: NaN, total: NaN }
    expect(data).toBeGreaterThan(250)
    expect(total).toBeGreaterThan(290)
    expect(total).toBeLessThan(2000)
  })

  it('hears a slow peer that answers within that time', async () => {
    const port = await servers.tcp((socket) => void setTimeout(() => socket.end('late'), 1300))
    const { evidence, error } = await connectTo({ port, assertions: readsData, maxResponseTime: 4000 })
    expect(error).toBeUndefined()
    expect(evidence?.response?.data).toBe('late')
    expect(evidence?.response?.timingPhases.total).toBeGreaterThan(1250)
  })

  it('hears all lines of a reply that says that more follow, as SMTP and FTP greetings do', async () => {
    const port = await servers.tcp((socket) => {
      socket.write('220-mail.example takes its time\r\n')
      setTimeout(() => socket.write('220 mail.example ready\r\n'), 1300)
    })
    const { evidence } = await connectTo({ port, assertions: readsData })
    expect(evidence?.response?.data).toBe('220-mail.example takes its time\r\n220 mail.example ready\r\n')
    const silent = await servers.tcp((socket) => void socket.write('220-and no more\r\n'))
    const cut = await connectTo({ port: silent, assertions: readsData, maxResponseTime: 1400 })
    expect(cut.evidence?.response?.data).toBe('220-and no more\r\n')
  })

  it('waits for the answer to data that nothing looks at only until the peer is quiet', async () => {
    const port = await servers.tcp(() => undefined)
    const { evidence, error, startedAt, stoppedAt } = await connectTo({ port, data: 'hello?', maxResponseTime: null })
    expect(error).toBeUndefined()
    expect(evidence?.response?.data).toBe('')
    expect(stoppedAt - startedAt).toBeGreaterThan(950)
    expect(stoppedAt - startedAt).toBeLessThan(4000)
  })

  it('takes the time to the last byte for the answer, also when the limit cuts a longer one off', async () => {
    const port = await servers.tcp((socket) => {
      const drip = setInterval(() => socket.write('.'), 20)
      socket.on('close', () => clearInterval(drip))
    })
    const { evidence, error } = await connectTo({ port, assertions: readsData, maxResponseTime: 400 })
    expect(error).toBeUndefined()
    expect(evidence?.response?.data).toMatch(/^\.+$/)
    expect(evidence?.response?.timingPhases.total).toBeLessThan(1500)
  })

  it('hears what arrived while this thread stood still beyond the limit', async () => {
    const port = await servers.tcp((socket) => {
      socket.write('220 ready')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    })
    const { evidence, timingUncertaintyMs } = await connectTo({ port, assertions: readsData, maxResponseTime: 300 })
    expect(evidence?.response?.data).toBe('220 ready')
    expect(timingUncertaintyMs).toBeGreaterThan(300)
  })

  it('takes what a dripping peer sent by the deadline', async () => {
    const port = await servers.tcp((socket) => {
      const drip = setInterval(() => socket.write('.'), 20)
      socket.on('close', () => clearInterval(drip))
    })
    const { evidence, error } = await connectTo({ port, data: 'go' }, {}, 200)
    expect(error).toBeUndefined()
    expect(evidence?.response?.data).toMatch(/^\.+$/)
  })

  it('reports a reset after accepting', async () => {
    const port = await servers.tcp((socket) => socket.once('data', () => void socket.resetAndDestroy()))
    const { error } = await connectTo({ port, data: 'x' })
    expect(error).toMatchObject({ phase: 'data', code: 'ECONNRESET' })
  })

  it('does not reach what the policy denies', async () => {
    const { error } = await connectTo({ port: 80, hostname: '0x7f.1' }, { egress: publicOnly })
    expect(error).toMatchObject({ phase: 'egress', code: 'EGRESS_DENIED', network: false })
    const metadata = await connectTo({ port: 80, hostname: '2852039166' })
    expect(metadata.error?.code).toBe('EGRESS_DENIED')
  })
})
