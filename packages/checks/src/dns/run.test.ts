import { createSocket } from 'node:dgram'
import { networkInterfaces } from 'node:os'
import { encode, type Answer } from 'dns-packet'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '@vedette/wire'
import type { RunContext } from '../core/check-type.ts'
import { createResolver } from '../net/dns/dns.ts'
import { createEgress } from '../net/egress/egress.ts'
import { framed, ladderReply, startNameServer, type Asked } from '../../test-support/name-server.ts'
import { givenJob } from '../../test-support/jobs.ts'
import { runOnce } from '../../test-support/run-once.ts'
import { dnsReply, publicOnly, trusted, type TestAnswer } from '../../test-support/servers.ts'
import { completeDnsRequest, type DnsRequest } from './request-shape.ts'
import { createDnsRun } from './run.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

async function givenServer(onAsked: (asked: Asked) => void, protocols?: string[]) {
  const server = await startNameServer(onAsked, protocols)
  open.push(server)
  return server
}

const addressOf = (name: string, data = '192.0.2.1'): Answer => ({ type: 'A', name, data, ttl: 300 })

/** The honest answer to a question: one address. */
const honest = ({ query }: Asked, more: TestAnswer = {}): Buffer =>
  dnsReply(query, { answers: [addressOf(query.questions?.[0]?.name ?? '')], ...more })

type Parts = Parameters<typeof createDnsRun>[0]

const contextOf = (more: Partial<RunContext> = {}, limitMs = 30_000): RunContext => ({
  signal: new AbortController().signal,
  deadline: performance.now() + limitMs,
  egress: trusted,
  variables: [],
  clock: systemClock,
  random: Math.random,
  ...more,
})

const lookUp = (
  request: Partial<DnsRequest>,
  { limitMs, parts, ...more }: Partial<RunContext> & { limitMs?: number; parts?: Parts } = {},
) =>
  createDnsRun(parts)(
    { request: completeDnsRequest({ query: 'Shop.example', recordType: 'A', nameServer: '127.0.0.1', ...request }) },
    contextOf(more, limitMs),
  )

/** Letters of the name as they were sent. */
const lettersOf = ({ query }: Asked) => query.questions?.[0]?.name ?? ''

describe('a run of a DNS check', () => {
  it('asks over UDP and sees the records, in the letters of the check', async () => {
    const letters = new Set<string>()
    const { port } = await givenServer((asked) => {
      letters.add(lettersOf(asked))
      asked.answer(honest(asked))
    })
    for (let run = 0; run < 8; run += 1) {
      const { evidence, error } = await lookUp({ port })
      expect(error).toBeUndefined()
      expect(evidence?.request).toEqual({
        query: 'Shop.example',
        recordType: 'A',
        nameServer: '127.0.0.1',
        port,
        protocol: 'UDP',
      })
      expect(evidence?.response).toMatchObject({
        answer: {
          Status: 'NOERROR',
          TC: false,
          RD: true,
          RA: true,
          AD: false,
          CD: false,
          Question: [{ name: 'Shop.example', type: 'A' }],
          Answer: [{ name: 'Shop.example', type: 'A', TTL: 300, data: '192.0.2.1' }],
        },
        text: 'Shop.example 300 IN A 192.0.2.1',
        truncated: false,
        remoteAddress: '127.0.0.1',
        timingPhases: { connection: 0 },
      })
    }
    expect(letters.size).toBeGreaterThan(1)
  })

  it('asks over TCP when it is told to', async () => {
    const { port, count } = await givenServer((asked) => asked.answer(honest(asked)))
    const { evidence } = await lookUp({ port, protocol: 'TCP' })
    expect(evidence?.response?.answer.Status).toBe('NOERROR')
    const { connection, answer, total } = evidence?.response?.timingPhases ?? { connection: 0, answer: 0, total: 0 }
    expect(connection).toBeGreaterThan(0)
    expect(connection + answer).toBeCloseTo(total, 6)
    expect(count).toEqual({ UDP: 0, TCP: 1 })
  })

  it('fetches an answer over TCP that did not fit', async () => {
    const { port } = await givenServer((asked) =>
      asked.answer(asked.protocol === 'UDP' ? dnsReply(asked.query, { truncated: true }) : honest(asked)),
    )
    const { evidence } = await lookUp({ port })
    expect(evidence?.response?.answer).toMatchObject({ TC: false, Answer: [{ data: '192.0.2.1' }] })
  })

  it('sends a question again whose datagram was lost, with another id', async () => {
    const ids = new Set<number | undefined>()
    const { port } = await givenServer((asked) => {
      ids.add(asked.query.id)
      if (asked.before === 1) asked.answer(honest(asked))
    })
    const { evidence } = await lookUp({ port })
    expect(evidence?.response?.answer.Status).toBe('NOERROR')
    expect(ids.size).toBe(2)
    expect(evidence?.response?.timingPhases.total).toBeGreaterThan(990)
  })

  it('counts a slow answer to an earlier question', async () => {
    const { port, count } = await givenServer((asked) => {
      if (asked.before === 0) setTimeout(() => asked.answer(honest(asked)), 1200)
    })
    const { evidence } = await lookUp({ port })
    expect(evidence?.response?.answer.Status).toBe('NOERROR')
    expect(count.UDP).toBe(2)
  })

  it.each([
    [3, 'NXDOMAIN'],
    [2, 'SERVFAIL'],
    [5, 'REFUSED'],
    [0, 'NOERROR'],
    [11, 'RCODE_11'],
  ])('sees the response code %d as %s, also without records', async (rcode, Status) => {
    const { port, count } = await givenServer((asked) => asked.answer(dnsReply(asked.query, { rcode })))
    const { evidence, error } = await lookUp({ port })
    expect(error).toBeUndefined()
    expect(evidence?.response).toMatchObject({ answer: { Status, Answer: [] }, text: '' })
    expect(count.UDP).toBe(1)
  })

  it('asks without EDNS a name server that does not understand it', async () => {
    const { port, count } = await givenServer((asked) =>
      asked.answer(asked.query.additionals?.length === 0 ? honest(asked) : dnsReply(asked.query, { rcode: 1 })),
    )
    expect((await lookUp({ port })).evidence?.response?.answer.Status).toBe('NOERROR')
    expect(count.UDP).toBe(2)
  })

  it('reads the codes of EDNS', async () => {
    const { port } = await givenServer((asked) => {
      const opt = { type: 'OPT', name: '.', extendedRcode: 1, udpPayloadSize: 1232, flags: 0 } as Answer
      asked.answer(
        encode({ type: 'response', id: asked.query.id, questions: asked.query.questions, additionals: [opt] }),
      )
    })
    expect((await lookUp({ port })).evidence?.response?.answer.Status).toBe('BADVERS')
  })

  it('asks the name servers of the location in turn, and takes the answer of one that knows', async () => {
    const lame = await givenServer((asked) => asked.answer(dnsReply(asked.query, { rcode: 5 })))
    const dead = await givenServer(() => undefined, [])
    const well = await givenServer((asked) => asked.answer(honest(asked)))
    const nameservers = () => [lame, dead, well].map(({ port }) => ({ address: '127.0.0.1', port }))
    const { evidence } = await lookUp({ nameServer: null }, { parts: { nameservers }, egress: publicOnly })
    expect(evidence?.response?.answer).toMatchObject({ Status: 'NOERROR', Answer: [{ data: '192.0.2.1' }] })
    const allLame = () => [dead, lame].map(({ port }) => ({ address: '127.0.0.1', port }))
    const second = await lookUp({ nameServer: null }, { parts: { nameservers: allLame } })
    expect(second.evidence?.response?.answer.Status).toBe('REFUSED')
  })

  it('looks up a name server that is given by name', async () => {
    const { port } = await givenServer((asked) => asked.answer(honest(asked)))
    const egress = createEgress({
      resolve: createResolver({ nameservers: [], hosts: new Map([['ns.lan', ['127.0.0.1']]]) }),
    })
    expect(
      (await lookUp({ port, nameServer: 'ns.lan' }, { parts: { egress } })).evidence?.response?.answer.Status,
    ).toBe('NOERROR')
  })

  it('asks for names of other scripts in ASCII, and for the root', async () => {
    const { port } = await givenServer((asked) => asked.answer(honest(asked)))
    const { evidence } = await lookUp({ port, query: 'bücher.example.' })
    expect(evidence?.response?.text).toBe('xn--bcher-kva.example 300 IN A 192.0.2.1')
    expect(evidence?.response?.answer.Question).toEqual([{ name: 'xn--bcher-kva.example', type: 'A' }])
    expect((await lookUp({ port, query: '.' })).evidence?.response?.text).toBe('. 300 IN A 192.0.2.1')
    const { error } = await lookUp({ port, query: `${'a'.repeat(64)}.example` })
    expect(error).toMatchObject({ phase: 'dns', code: 'DNS_INVALID_NAME', network: false })
  })

  it('ends at once when it is cancelled', async () => {
    const cancel = new AbortController()
    const { port } = await givenServer(() => cancel.abort())
    const { internalError } = await lookUp({ port }, { signal: cancel.signal })
    expect(internalError).toMatchObject({ code: 'CANCELLED' })
  })
})

describe('a run of a DNS check believes', () => {
  const forged = { answers: [addressOf('Shop.example', '203.0.113.66')] }
  const forgeries: Record<string, (asked: Asked) => Buffer> = {
    'another id': ({ query }) => dnsReply(query, { ...forged, id: ((query.id ?? 0) + 1) & 0xffff }),
    'another question': ({ query }) => dnsReply(query, { ...forged, question: 'other.example' }),
    'another type of records': ({ query }) =>
      dnsReply({ ...query, questions: [{ type: 'AAAA', name: 'Shop.example', class: 'IN' }] }, forged),
    'no question': ({ query }) => encode({ type: 'response', id: query.id, questions: [], answers: forged.answers }),
    'no question and an error': ({ query }) => encode({ type: 'response', flags: 3, id: query.id, questions: [] }),
    'a question of its own': ({ bytes }) => bytes,
    'a piece of a header': ({ bytes }) => bytes.subarray(0, 7),
    nothing: () => Buffer.alloc(0),
  }
  it.each(Object.entries(forgeries))('no message with %s, and waits for the answer', async (_, forge) => {
    const { port } = await givenServer((asked) => {
      asked.answer(forge(asked))
      asked.answer(honest(asked))
    })
    const { evidence, error } = await lookUp({ port })
    expect(error).toBeUndefined()
    expect(evidence?.response?.text).toBe('Shop.example 300 IN A 192.0.2.1')
  })

  it('no message from another port', async () => {
    const forger = createSocket('udp4')
    open.push(forger)
    const { port } = await givenServer((asked) => {
      const { from } = asked
      if (from === undefined) throw new Error('The question comes over UDP')
      forger.send(dnsReply(asked.query, forged), from.port, from.address, () => asked.answer(honest(asked)))
    })
    expect((await lookUp({ port })).evidence?.response?.text).toContain('192.0.2.1')
  })

  it('no message in other letters, but asks over TCP, where nobody can forge', async () => {
    const { port } = await givenServer((asked) => {
      if (asked.protocol === 'TCP') return asked.answer(honest(asked, { question: 'shop.example' }))
      const swapped = lettersOf(asked).replaceAll(/[a-z]/gi, (letter) =>
        letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
      )
      asked.answer(dnsReply(asked.query, { ...forged, question: swapped }))
    })
    expect((await lookUp({ port })).evidence?.response?.text).toBe('Shop.example 300 IN A 192.0.2.1')
  })

  it('says that only strange messages came when no answer follows', async () => {
    const { port } = await givenServer((asked) => asked.answer(dnsReply(asked.query, { ...forged, id: 0 })))
    const { error, evidence } = await lookUp({ port }, { limitMs: 300 })
    expect(error).toMatchObject({ phase: 'query', code: 'ETIMEDOUT' })
    expect(error?.text).toMatch(
      new RegExp(
        `^DNS: no answer from 127.0.0.1:${port} over UDP within \\d+ ms: only a message came that does not belong`,
      ),
    )
    expect(evidence?.response).toBeUndefined()
  })
})

/** An honest answer whose record begins with these bytes in place of its own. */
const withRecord = (asked: Asked, ...bytes: number[]): Buffer => {
  const empty = dnsReply(asked.query, {})
  empty.writeUInt16BE(1, 6)
  return Buffer.concat([empty, Buffer.from(bytes)])
}
const fixed = [0, 1, 0, 1, 0, 0, 1, 44]

describe('a run of a DNS check fails, saying why, when the name server', () => {
  const malformed: Record<string, [(asked: Asked) => Buffer, RegExp]> = {
    'promises records that are not there': [(asked) => withRecord(asked), /ends in the middle of a record/],
    'cuts a record': [(asked) => withRecord(asked, 0, ...fixed, 0, 4, 192, 0), /ends in the middle of a record/],
    'has an address of three bytes': [(asked) => withRecord(asked, 0, ...fixed, 0, 3, 192, 0, 2), /shorter or longer/],
    'points to itself': [
      (asked) => withRecord(asked, 0xc0, dnsReply(asked.query, {}).length, ...fixed, 0, 4, 192, 0, 2, 1),
      /compressed name in it leads nowhere/,
    ],
    'points ahead': [(asked) => withRecord(asked, 0xff, 0xff, ...fixed, 0, 4, 192, 0, 2, 1), /leads nowhere/],
    'has labels that do not exist': [(asked) => withRecord(asked, 0x40, 0, ...fixed, 0, 0), /longer than names/],
  }
  it.each(Object.entries(malformed))('%s', async (_, [answer, why]) => {
    const { port, count } = await givenServer((asked) => asked.answer(answer(asked)))
    for (const protocol of ['UDP', 'TCP'] as const) {
      const { error, internalError } = await lookUp({ port, protocol })
      expect(internalError).toBeUndefined()
      expect(error).toMatchObject({ phase: 'query', code: 'DNS_MALFORMED' })
      expect(error?.text).toMatch(why)
    }
    expect(count).toEqual({ UDP: 1, TCP: 1 })
  })

  it('has a name that is a long ladder of pointers', async () => {
    const { port } = await givenServer((asked) => asked.answer(ladderReply(asked.query)))
    expect((await lookUp({ port, protocol: 'TCP' })).error?.text).toMatch(/leads nowhere/)
  })

  it('is not there', async () => {
    const { port } = await givenServer(() => undefined, [])
    const { error } = await lookUp({ port })
    expect(error).toMatchObject({ phase: 'query', code: 'ECONNREFUSED', network: true })
    expect(error?.text).toBe(`DNS: 127.0.0.1:${port}: no name server is there: the datagram was refused`)
    const overTcp = await lookUp({ port, protocol: 'TCP' })
    expect(overTcp.error).toMatchObject({
      phase: 'tcp',
      text: expect.stringContaining(`TCP: 127.0.0.1:${port} refused the connection: `),
    })
  })

  it('is silent', async () => {
    const { port } = await givenServer(() => undefined)
    const { error } = await lookUp({ port }, { limitMs: 200 })
    expect(error).toMatchObject({ phase: 'query', code: 'ETIMEDOUT' })
    expect(error?.text).toMatch(/over UDP within \d+ ms: question or answer got lost on the way, or no name server/)
  })

  it('cuts its answer and has none over TCP', async () => {
    const cut = ({ query, answer }: Asked) => answer(dnsReply(query, { truncated: true }))
    const forever = await givenServer(cut)
    const cutTwice = await lookUp({ port: forever.port })
    expect(cutTwice.error?.text).toMatch(/cut its answer over UDP, and over TCP: .*it cut its answer over TCP/)
    const without = await givenServer(cut, ['UDP'])
    const refused = await lookUp({ port: without.port })
    expect(refused.error).toMatchObject({ phase: 'tcp', code: 'ECONNREFUSED' })
    expect(refused.error?.text).toMatch(/cut its answer over UDP, and over TCP: \S+ refused the connection/)
    const silent = await givenServer((asked) => asked.protocol === 'UDP' && cut(asked))
    const nothing = await lookUp({ port: silent.port }, { limitMs: 300 })
    expect(nothing.error?.text).toMatch(/it cut its answer over UDP, and over TCP nothing came$/)
  })

  it('drips its answer, until the time is up', async () => {
    const { port } = await givenServer(({ stream }) => {
      stream?.write(Buffer.from([0xff, 0xff]))
      const drip = setInterval(() => stream?.write(Buffer.alloc(1)), 5)
      stream?.on('close', () => clearInterval(drip))
    })
    const { error } = await lookUp({ port, protocol: 'TCP' }, { limitMs: 300 })
    expect(error).toMatchObject({ phase: 'query', code: 'ETIMEDOUT' })
  })

  it('closes the connection in the middle of its answer', async () => {
    const { port } = await givenServer((asked) => asked.stream?.end(framed(honest(asked)).subarray(0, 20)))
    const { error } = await lookUp({ port, protocol: 'TCP' })
    expect(error?.text).toMatch(/closed the connection after 18 of \d+ bytes of its answer/)
  })

  it('answers another question over TCP', async () => {
    const { port } = await givenServer(({ query, answer }) => answer(dnsReply(query, { question: 'other.example' })))
    expect((await lookUp({ port, protocol: 'TCP' })).error?.text).toMatch(/sent a damaged answer/)
  })
})

it('assertions read the answer as JSON and as text, and one on the response code replaces the rule', async () => {
  const { port } = await givenServer((asked) =>
    asked.answer(
      lettersOf(asked).toLowerCase() === 'gone.example' ? dnsReply(asked.query, { rcode: 3 }) : honest(asked),
    ),
  )
  const verdictOf = async (query: string, ...assertions: object[]) => {
    const request = { query, recordType: 'A', nameServer: '127.0.0.1', port, assertions }
    return (await runOnce(givenJob('DNS', { maxResponseTime: null, request }))).verdict
  }
  const records = { source: 'JSON_ANSWER', property: '$.Answer.length', comparison: 'EQUALS', target: '1' }
  const data = { source: 'JSON_ANSWER', property: '$.Answer[0].data', comparison: 'EQUALS', target: '192.0.2.1' }
  const flag = { source: 'JSON_ANSWER', property: '$.RA', comparison: 'EQUALS', target: 'true' }
  const text = { source: 'TEXT_ANSWER', property: 'IN A (.*)', comparison: 'EQUALS', target: '192.0.2.1' }
  const gone = { source: 'RESPONSE_CODE', comparison: 'EQUALS', target: 'NXDOMAIN' }
  expect(await verdictOf('shop.example', records, data, flag, text)).toMatchObject({ outcome: 'pass', cause: '' })
  expect(await verdictOf('gone.example', gone)).toMatchObject({ outcome: 'pass' })
  expect(await verdictOf('gone.example')).toMatchObject({ outcome: 'fail', cause: expect.stringContaining('NXDOMAIN') })
  expect(await verdictOf('shop.example', gone)).toMatchObject({
    outcome: 'fail',
    cause: 'Expected response code to equal NXDOMAIN, got NOERROR',
  })
})

it('keeps 64 kB of the records of a large answer, and takes it in pieces', async () => {
  const { port } = await givenServer((asked) => {
    const head = dnsReply(asked.query, {})
    const record = Buffer.from([0xc0, 12, ...fixed, 0, 4, 192, 0, 2, 1])
    const records = Array.from({ length: 4000 }, () => record)
    head.writeUInt16BE(records.length, 6)
    const whole = framed(Buffer.concat([head, ...records]))
    for (let at = 0; at < whole.length; at += 9999) asked.stream?.write(whole.subarray(at, at + 9999))
  })
  const { evidence, error } = await lookUp({ port, protocol: 'TCP' })
  expect(error).toBeUndefined()
  expect(evidence?.response?.truncated).toBe(true)
  expect(evidence?.response?.text.length).toBeGreaterThan(64_000)
  expect(evidence?.response?.text.length).toBeLessThan(66_000)
})

describe('the egress guard', () => {
  const noPackets = {
    datagrams: () => {
      throw new Error('a packet would have been sent')
    },
    egress: createEgress({
      connect: () => {
        throw new Error('a packet would have been sent')
      },
      resolve: () => Promise.resolve(['8.8.8.8', '169.254.169.254']),
    }),
  }
  it.each(['UDP', 'TCP'] as const)('lets no question over %s go where the policy forbids', async (protocol) => {
    const places = ['169.254.169.254', '[::ffff:169.254.169.254]', '2852039166', 'rebound.example', '224.0.0.251']
    for (const nameServer of places) {
      const { error } = await lookUp({ nameServer, protocol }, { parts: noPackets })
      expect(error, nameServer).toMatchObject({ phase: 'egress', code: 'EGRESS_DENIED', network: false })
    }
    for (const nameServer of ['127.0.0.1', '10.0.0.2', '[::1]', '192.168.1.1']) {
      const { error } = await lookUp({ nameServer, protocol }, { parts: noPackets, egress: publicOnly })
      expect(error, nameServer).toMatchObject({ code: 'EGRESS_DENIED' })
    }
    const own = { privateTargets: true, deniedTargets: [{ address: '10.0.0.2', port: 5432 }] }
    const { error } = await lookUp({ nameServer: '10.0.0.2', port: 5432, protocol }, { parts: noPackets, egress: own })
    expect(error?.text).toMatch(/it belongs to Vedette itself/)
  })

  it('judges the peer of the socket again', async () => {
    const { port, count } = await givenServer((asked) => asked.answer(honest(asked)))
    const datagrams = () => {
      const elsewhere = createSocket('udp4')
      elsewhere.connect(port, '127.0.0.1')
      return elsewhere
    }
    const { error } = await lookUp({ nameServer: '8.8.8.8' }, { parts: { datagrams }, egress: publicOnly })
    expect(error).toMatchObject({ code: 'EGRESS_DENIED' })
    expect(count.UDP).toBe(0)
  })

  it('judges the name servers of the location too when another port is asked', async () => {
    const nameservers = () => [{ address: '10.0.0.2', port: 53 }]
    const request = { nameServer: null, port: 5353 }
    const { error } = await lookUp(request, { parts: { ...noPackets, nameservers }, egress: publicOnly })
    expect(error).toMatchObject({ code: 'EGRESS_DENIED' })
  })
})

describe('is not known', () => {
  it('when the name servers of the location are silent on a machine without network, and a failure on one with', async () => {
    const { port } = await givenServer(() => undefined)
    const nameservers = () => [{ address: '127.0.0.1', port }]
    const seen = await lookUp(
      { nameServer: null },
      { limitMs: 200, parts: { nameservers, interfaces: () => ({ lo: networkInterfaces()['lo'] ?? [] }) } },
    )
    expect(seen.internalError).toMatchObject({ code: 'NO_NETWORK' })
    const lan = { ...(networkInterfaces()['lo']?.[0] as NonNullable<object>), address: '10.0.0.7', internal: false }
    const interfaces = () => ({ eth0: [lan as never] })
    const { error } = await lookUp({ nameServer: null }, { limitMs: 200, parts: { nameservers, interfaces } })
    expect(error).toMatchObject({ phase: 'dns', code: 'DNS_TIMEOUT' })
    expect(error?.text).toMatch(/^DNS: the name servers of the location gave no answer: no answer from 127\.0\.0\.1/)
  })

  it('when this machine cannot open a socket', async () => {
    const datagrams = () => {
      const socket = createSocket('udp4')
      setImmediate(() => socket.emit('error', Object.assign(new Error('too many files'), { code: 'EMFILE' })))
      return socket
    }
    const { internalError } = await lookUp({ port: 5353 }, { parts: { datagrams } })
    expect(internalError).toMatchObject({ code: 'NO_RESOURCES' })
  })
})
