import { encode } from 'dns-packet'
import { afterEach, describe, expect, it } from 'vitest'
import { createResolver } from '../net/dns/dns.ts'
import { runOnce } from '../../test-support/run-once.ts'
import { givenJob } from '../../test-support/jobs.ts'
import { startNameServer, type Asked } from '../../test-support/name-server.ts'
import { dnsReply, startTestServers, trusted } from '../../test-support/servers.ts'

const servers = startTestServers()
const open: { close(): unknown }[] = []
afterEach(async () => {
  await servers.closeAll()
  for (const each of open.splice(0)) await each.close()
})

const nameOf = ({ query }: Pick<Asked, 'query'>) => query.questions?.[0]?.name ?? ''
const address = (name: string) => ({ type: 'A' as const, name, data: '192.0.2.1', ttl: 300 })
const hasEdns = ({ query }: Asked) => (query.additionals?.length ?? 0) > 0
const honest = (asked: Asked) => dnsReply(asked.query, { answers: [address(nameOf(asked))] })
const bare = ({ query }: Asked, flags: number) => encode({ type: 'response', id: query.id, flags, questions: [] })

async function givenServer(onAsked: (asked: Asked) => void, protocols?: string[]) {
  const server = await startNameServer(onAsked, protocols)
  open.push(server)
  return server
}

const runCheck = (port: number, protocol: 'UDP' | 'TCP') =>
  runOnce(
    givenJob(
      'DNS',
      {
        maxResponseTime: 5000,
        request: { query: 'shop.example', recordType: 'A', nameServer: '127.0.0.1', port, protocol },
      },
      { egress: trusted },
    ),
  )

describe('a name server that answers EDNS with a mere header that refuses it', () => {
  it.each(['UDP', 'TCP'] as const)('is asked at once without EDNS over %s, and passes', async (protocol) => {
    const edns: boolean[] = []
    const { port } = await givenServer((asked) => {
      edns.push(hasEdns(asked))
      asked.answer(hasEdns(asked) ? bare(asked, 1) : honest(asked))
    })
    const { verdict, error } = await runCheck(port, protocol)
    expect(error).toBeNull()
    expect(verdict.outcome).toBe('pass')
    expect(edns).toEqual([true, false])
  })

  it('is never taken at its word: a header alone is no answer', async () => {
    const { port } = await givenServer((asked) => {
      asked.answer(bare(asked, 3))
      setTimeout(() => asked.answer(honest(asked)), 20)
    })
    expect((await runCheck(port, 'UDP')).verdict.outcome).toBe('pass')
    const refusing = await givenServer((asked) => asked.answer(bare(asked, 1)))
    expect((await runCheck(refusing.port, 'TCP')).error).toMatchObject({ phase: 'query' })
    expect(refusing.count.TCP).toBe(2)
  })
})

it('a name server that writes names in small letters and is not there over TCP is asked in small letters', async () => {
  const names: string[] = []
  const { port } = await givenServer(
    (asked) => {
      names.push(nameOf(asked))
      const question = nameOf(asked).toLowerCase()
      asked.answer(dnsReply(asked.query, { answers: [address(question)], question }))
    },
    ['UDP'],
  )
  const reports = await Promise.all(Array.from({ length: 4 }, () => runCheck(port, 'UDP')))
  expect(reports.map(({ verdict }) => verdict.outcome)).toEqual(['pass', 'pass', 'pass', 'pass'])
  expect(names.some((name) => name !== 'shop.example')).toBe(true)
})

describe('a look-up of a target', () => {
  const lookUp = (port: number, family: 'IPv4' | 'any' = 'IPv4', timeoutMs = 9000) =>
    createResolver({ nameservers: [{ address: '127.0.0.1', port }], hosts: new Map(), search: [] })(
      'shop.example',
      family,
      { signal: new AbortController().signal, timeoutMs },
    )

  it('goes on without EDNS where something on the way drops it', async () => {
    const { port } = await givenServer((asked) => {
      if (!hasEdns(asked)) asked.answer(honest(asked))
    })
    expect(await lookUp(port)).toEqual(['192.0.2.1'])
  })

  it('finds the address also when the alias that leads to it stands behind it', async () => {
    const port = await servers.dns(() => ({
      answers: [
        address('edge.example'),
        { type: 'CNAME', name: 'cdn.example', data: 'edge.example', ttl: 60 },
        { type: 'CNAME', name: 'shop.example', data: 'cdn.example', ttl: 60 },
        address('other.example'),
      ],
    }))
    expect(await lookUp(port)).toEqual(['192.0.2.1'])
  })

  it('of both families does not wait for IPv6 from a name server that drops such questions', async () => {
    const port = await servers.dns((query) =>
      query.questions?.[0]?.type === 'A' ? { answers: [address('shop.example')] } : undefined,
    )
    const began = performance.now()
    expect(await lookUp(port, 'any', 30_000)).toEqual(['192.0.2.1'])
    expect(performance.now() - began).toBeLessThan(9000)
  })
})
