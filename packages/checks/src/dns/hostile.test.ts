import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { framed, ladderReply, startNameServer, type Asked } from '../../test-support/name-server.ts'
import { drip, pour, survive } from '../../test-support/hostile.ts'
import { givenJob } from '../../test-support/jobs.ts'
import { dnsReply } from '../../test-support/servers.ts'

// Loading it counts as time of a run.
beforeAll(() => import('./run.ts'))

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

interface Row {
  act: (asked: Asked) => void
  code: string | undefined
  says: RegExp
  protocol?: 'UDP' | 'TCP'
  timeoutMs?: number
}

/** A check that no honest answer of these name servers satisfies. */
const jobAt = (port: number, { protocol = 'UDP', timeoutMs = 10_000 }: Row) =>
  givenJob(
    'DNS',
    {
      maxResponseTime: null,
      request: {
        query: 'shop.example',
        recordType: 'A',
        nameServer: '127.0.0.1',
        port,
        protocol,
        assertions: [{ source: 'TEXT_ANSWER', comparison: 'CONTAINS', target: 'nowhere' }],
      },
    },
    { timeoutMs },
  )

const foreign = ({ query }: Asked) => dnsReply(query, { id: ((query.id ?? 0) + 1) & 0xffff })

/** An honest head with so many records of these bytes. */
function withRecords({ query }: Asked, count: number, ...bytes: number[]): Buffer {
  const head = dnsReply(query, {})
  head.writeUInt16BE(count, 6)
  return Buffer.concat([head, ...Array.from({ length: count }, () => Buffer.from(bytes))])
}
const fixed = [0xc0, 12, 0, 1, 0, 1, 0, 0, 1, 44, 0, 4, 192, 0, 2, 1]
const aliasOfItself = [0xc0, 12, 0, 5, 0, 1, 0, 0, 1, 44, 0, 2, 0xc0, 12]
const emptyText = [0xc0, 12, 0, 16, 0, 1, 0, 0, 1, 44, 0, 0]

/** Sends messages that do not belong to the question until the socket is gone. */
function flood(asked: Asked, count: number): void {
  const message = foreign(asked)
  for (let sent = 0; sent < count; sent += 1) asked.answer(message)
}

const rows: Record<string, Row> = {
  'floods with messages that are no answer': {
    act: (asked) => flood(asked, 2000),
    code: 'ETIMEDOUT',
    says: /only \d+ messages came that do not belong to the question/,
    timeoutMs: 500,
  },
  'floods with messages of no bytes': {
    act: ({ answer }) => Array.from({ length: 500 }, () => answer(Buffer.alloc(0))),
    code: 'ETIMEDOUT',
    says: /do not belong to the question/,
    timeoutMs: 500,
  },
  'floods and answers then': {
    act: (asked) => {
      flood(asked, 50)
      asked.answer(dnsReply(asked.query, {}))
    },
    code: undefined,
    says: /to contain nowhere/,
  },
  'has thousands of records': {
    act: (asked) => asked.answer(withRecords(asked, 4000, ...fixed)),
    code: undefined,
    says: /to contain nowhere/,
    protocol: 'TCP',
  },
  'has thousands of aliases of themselves': {
    act: (asked) => asked.answer(withRecords(asked, 4000, ...aliasOfItself)),
    code: undefined,
    says: /to contain nowhere/,
    protocol: 'TCP',
  },
  'has thousands of records with nothing in them': {
    act: (asked) => asked.answer(withRecords(asked, 5000, ...emptyText)),
    code: undefined,
    says: /to contain nowhere/,
    protocol: 'TCP',
  },
  'promises 65535 records': {
    act: (asked) => {
      const head = withRecords(asked, 1, ...fixed)
      head.writeUInt16BE(0xffff, 6)
      asked.answer(head)
    },
    code: 'DNS_MALFORMED',
    says: /ends in the middle of a record/,
  },
  'has names of thousands of pointers': {
    act: ({ query, answer }) => answer(ladderReply(query)),
    code: 'DNS_MALFORMED',
    says: /leads nowhere/,
    protocol: 'TCP',
  },
  'pours bytes in place of an answer': {
    act: ({ stream }) => stream && pour(stream, Buffer.alloc(65_536, 0xff)),
    code: 'DNS_NO_ANSWER',
    says: /sent a damaged answer/,
    protocol: 'TCP',
  },
  'answers with a message of no bytes': {
    act: ({ answer }) => answer(Buffer.alloc(0)),
    code: 'DNS_NO_ANSWER',
    says: /sent a damaged answer/,
    protocol: 'TCP',
  },
  'pours more after its answer': {
    act: ({ query, stream }) => {
      stream?.write(framed(dnsReply(query, {})))
      if (stream) pour(stream, Buffer.alloc(65_536))
    },
    code: undefined,
    says: /to contain nowhere/,
    protocol: 'TCP',
  },
  'drips an answer of 64 kB': {
    act: ({ stream }) => {
      stream?.write(Buffer.from([0xff, 0xff]))
      if (stream) drip(stream, Buffer.alloc(1))
    },
    code: 'ETIMEDOUT',
    says: /^DNS: no answer from/,
    protocol: 'TCP',
    timeoutMs: 300,
  },
  'sends half a length': {
    act: ({ stream }) => stream?.write(Buffer.from([0])),
    code: 'ETIMEDOUT',
    says: /^DNS: no answer from/,
    protocol: 'TCP',
    timeoutMs: 300,
  },
  'resets when it is asked': {
    act: ({ stream }) => stream?.resetAndDestroy(),
    code: 'ECONNRESET',
    says: /closed the connection without an answer/,
    protocol: 'TCP',
  },
  'cuts its answer, and pours over TCP': {
    act: ({ query, stream, answer }) =>
      stream ? pour(stream, Buffer.alloc(65_536, 0xff)) : answer(dnsReply(query, { truncated: true })),
    code: 'DNS_NO_ANSWER',
    says: /cut its answer over UDP, and over TCP: .*damaged answer/,
  },
}

describe('a name server of a DNS check that', () => {
  it.each(Object.entries(rows))('%s is a failure that says so', async (_, row) => {
    const server = await startNameServer(row.act)
    open.push(server)
    const report = await survive(jobAt(server.port, row), server.ended)
    expect(report.verdict.cause).toMatch(row.says)
    expect(report.error?.code).toBe(row.code)
    expect(JSON.stringify(report.result).length).toBeLessThan(600_000)
    expect(server.count.UDP).toBeLessThanOrEqual(3)
  })
})
