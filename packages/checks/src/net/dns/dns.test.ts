import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { decode, encode } from 'dns-packet'
import { afterEach, describe, expect, it } from 'vitest'
import { controlLookup, createResolver, type FamilyChoice, type ResolverOptions } from './dns.ts'
import { parseHosts, parseResolvConf } from './resolver-files.ts'
import { ladderReply, startNameServer } from '../../../test-support/name-server.ts'
import { dnsReply, startTestServers } from '../../../test-support/servers.ts'

const servers = startTestServers()
afterEach(() => servers.closeAll())

/** The datagram and the stream server need the same port; another process may hold it for one of the two. */
async function onOnePort(stream: Server, listenUdp: () => Promise<number>): Promise<number> {
  for (;;) {
    const port = await listenUdp()
    const listening = once(stream, 'listening')
    stream.listen(port, '127.0.0.1')
    try {
      await listening
      return port
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
}

const at = (port: number) => ({ address: '127.0.0.1', port })
const a = (name: string, data: string) => ({ type: 'A' as const, name, data, ttl: 60 })
const noHosts = new Map<string, string[]>()

function lookUp(host: string, options: ResolverOptions, family: FamilyChoice = 'IPv4', timeoutMs = 3000) {
  return createResolver({ hosts: noHosts, search: [], ...options })(host, family, {
    signal: new AbortController().signal,
    timeoutMs,
  })
}

describe('a look-up', () => {
  it('asks no nameserver for literals, the hosts file and localhost', async () => {
    const hosts = parseHosts('10.1.1.1 box box.lan # comment\n::2 box\nnonsense here\n')
    const options = { nameservers: [], hosts }
    expect(await lookUp('10.0.0.1', options, 'IPv6')).toEqual(['10.0.0.1'])
    expect(await lookUp('box', options)).toEqual(['10.1.1.1'])
    expect(await lookUp('box.lan.', options)).toEqual(['10.1.1.1'])
    expect(await lookUp('box', options, 'any')).toEqual(['10.1.1.1', '::2'])
    expect(await lookUp('localhost', options, 'IPv6')).toEqual(['::1'])
    expect(await lookUp('shop.localhost', options)).toEqual(['127.0.0.1'])
  })

  it('answers the addresses of the nameserver, afresh every time', async () => {
    let asked = 0
    const port = await servers.dns(() => ({ answers: [a('one.example', `10.0.0.${(asked += 1)}`)] }))
    const options = { nameservers: [at(port)] }
    expect(await lookUp('one.example', options)).toEqual(['10.0.0.1'])
    expect(await lookUp('one.example', options)).toEqual(['10.0.0.2'])
  })

  it('follows aliases, and takes no address that is off their chain', async () => {
    const port = await servers.dns(() => ({
      answers: [
        { type: 'CNAME', name: 'www.example', data: 'edge.example', ttl: 60 },
        a('edge.example', '10.0.0.1'),
        a('other.example', '10.6.6.6'),
      ],
    }))
    expect(await lookUp('www.example', { nameservers: [at(port)] })).toEqual(['10.0.0.1'])
  })

  it('of both families puts IPv4 first and is content with one', async () => {
    const port = await servers.dns((query) =>
      query.questions?.[0]?.type === 'A'
        ? { answers: [a('both.example', '10.0.0.1')], delayMs: 20 }
        : { answers: [{ type: 'AAAA', name: 'both.example', data: 'fd00::1', ttl: 60 }] },
    )
    expect(await lookUp('both.example', { nameservers: [at(port)] }, 'any')).toEqual(['10.0.0.1', 'fd00::1'])
    const only4 = await servers.dns((query) =>
      query.questions?.[0]?.type === 'A' ? { answers: [a('four.example', '10.0.0.4')] } : {},
    )
    expect(await lookUp('four.example', { nameservers: [at(only4)] }, 'any')).toEqual(['10.0.0.4'])
  })

  it('says NXDOMAIN, no data, server failure and silence apart', async () => {
    const port = await servers.dns((query) => {
      const name = query.questions?.[0]?.name
      if (name === 'gone.example') return { rcode: 3 }
      if (name === 'ill.example') return { rcode: 2 }
      return name === 'silent.example' ? undefined : {}
    })
    const nameservers = [at(port)]
    await expect(lookUp('gone.example', { nameservers })).rejects.toMatchObject({
      phase: 'dns',
      code: 'DNS_NXDOMAIN',
      message: 'gone.example does not exist in DNS (NXDOMAIN)',
      network: true,
    })
    await expect(lookUp('empty.example', { nameservers }, 'IPv6')).rejects.toMatchObject({
      code: 'DNS_NO_DATA',
      message: 'empty.example exists in DNS but has no IPv6 address (AAAA record)',
    })
    await expect(lookUp('ill.example', { nameservers })).rejects.toMatchObject({
      code: 'DNS_SERVER_FAILURE',
      message: 'the look-up of ill.example failed: nameserver 127.0.0.1 answered SERVFAIL',
    })
    await expect(lookUp('silent.example', { nameservers }, 'IPv4', 200)).rejects.toMatchObject({
      code: 'DNS_TIMEOUT',
      message: 'the look-up of silent.example had no answer within 200 ms',
    })
  })

  it('asks again when a datagram is lost', async () => {
    let asked = 0
    const port = await servers.dns(() =>
      (asked += 1) === 1 ? undefined : { answers: [a('lossy.example', '10.0.0.1')] },
    )
    expect(await lookUp('lossy.example', { nameservers: [at(port)] })).toEqual(['10.0.0.1'])
    expect(asked).toBe(2)
  })

  it('turns to the next nameserver at once when one fails or does not listen', async () => {
    const ill = await servers.dns(() => ({ rcode: 5 }))
    const well = await servers.dns(() => ({ answers: [a('x.example', '10.0.0.1')] }))
    const nobody = await servers.tcp(() => undefined)
    const startedAt = performance.now()
    expect(await lookUp('x.example', { nameservers: [at(nobody), at(ill), at(well)] })).toEqual(['10.0.0.1'])
    expect(performance.now() - startedAt).toBeLessThan(900)
  })

  it('believes no answer with another id or question', async () => {
    let asked = 0
    const port = await servers.dns((query) => {
      asked += 1
      const answers = [a('real.example', '10.6.6.6')]
      if (asked === 1) return { answers, id: ((query.id ?? 0) + 1) & 0xffff }
      if (asked === 2) return { answers, question: 'other.example' }
      return { answers: [a('real.example', '10.0.0.1')] }
    })
    const addresses = await lookUp('real.example', { nameservers: [at(port), at(port), at(port)] }, 'IPv4', 5000)
    expect(addresses).toEqual(['10.0.0.1'])
  })

  it('goes over TCP when the answer does not fit', async () => {
    const tcp = createServer((socket) =>
      socket.on('data', (data: Buffer) => {
        const reply = dnsReply(decode(data.subarray(2)), { answers: [a('big.example', '10.0.0.9')] })
        const length = Buffer.alloc(2)
        length.writeUInt16BE(reply.length)
        socket.write(Buffer.concat([length, reply]).subarray(0, 20))
        socket.end(Buffer.concat([length, reply]).subarray(20))
      }),
    )
    const port = await onOnePort(tcp, () => servers.dns(() => ({ truncated: true })))
    try {
      expect(await lookUp('big.example', { nameservers: [at(port)] })).toEqual(['10.0.0.9'])
    } finally {
      tcp.close()
    }
  })

  it('ends when an answer cannot be read, or only after thousands of pointers', async () => {
    const server = await startNameServer(({ protocol, query, answer }) =>
      answer(protocol === 'TCP' ? ladderReply(query) : dnsReply(query, { truncated: true })),
    )
    const short = await startNameServer(({ query, answer }) => {
      const reply = dnsReply(query, {})
      reply.writeUInt16BE(1, 6)
      answer(reply)
    })
    try {
      for (const [port, why] of [
        [server.port, 'a compressed name in it leads nowhere'],
        [short.port, 'it ends in the middle of a record'],
      ] as const)
        await expect(lookUp('ladder.example', { nameservers: [at(port)] })).rejects.toMatchObject({
          code: 'DNS_SERVER_FAILURE',
          message: `the look-up of ladder.example failed: nameserver 127.0.0.1:${port} sent an answer that cannot be read: ${why}`,
        })
    } finally {
      await server.close()
      await short.close()
    }
  })

  it('asks without EDNS a nameserver that refuses it without repeating the question', async () => {
    const asked: number[] = []
    const server = await startNameServer(({ query, answer }) => {
      asked.push(query.additionals?.length ?? 0)
      if (asked.length === 1) return answer(encode({ type: 'response', id: query.id, flags: 1, questions: [] }))
      return answer(dnsReply(query, { answers: [a('old.example', '10.0.0.3')] }))
    })
    try {
      expect(await lookUp('old.example', { nameservers: [at(server.port)] })).toEqual(['10.0.0.3'])
      expect(asked).toEqual([1, 0])
    } finally {
      await server.close()
    }
  })

  it('tries search domains as resolv.conf says', async () => {
    const asked: string[] = []
    const port = await servers.dns((query) => {
      const name = query.questions?.[0]?.name ?? ''
      asked.push(name)
      return name === 'db.corp.example' ? { answers: [a(name, '10.0.0.1')] } : { rcode: 3 }
    })
    const options = { nameservers: [at(port)], search: ['dev.example', 'corp.example'] }
    expect(await lookUp('db', options)).toEqual(['10.0.0.1'])
    expect(asked).toEqual(['db.dev.example', 'db.corp.example'])
    asked.length = 0
    await expect(lookUp('a.b', options)).rejects.toMatchObject({ code: 'DNS_NXDOMAIN' })
    expect(asked).toEqual(['a.b', 'a.b.dev.example', 'a.b.corp.example'])
    asked.length = 0
    await expect(lookUp('a.b.', options)).rejects.toMatchObject({ code: 'DNS_NXDOMAIN' })
    expect(asked).toEqual(['a.b'])
  })

  it('survives a nameserver that cannot even be sent to', async () => {
    // A UDP socket may not be connected to this address: the system refuses at once.
    const nameservers = [{ address: '255.255.255.255', port: 53 }]
    await expect(lookUp('x.example', { nameservers }, 'IPv4', 2000)).rejects.toMatchObject({
      code: 'DNS_SERVER_FAILURE',
    })
  })

  it('refuses names DNS cannot hold', async () => {
    for (const name of [`${'a'.repeat(64)}.example`, 'a..b', `${'a.'.repeat(130)}b`]) {
      await expect(lookUp(name, { nameservers: [] })).rejects.toMatchObject({ code: 'DNS_INVALID_NAME' })
    }
  })

  it('for control tells whether names can be looked up at all', async () => {
    const port = await servers.dns((query) =>
      query.questions?.[0]?.name === 'control.example' ? { answers: [a('control.example', '10.0.0.1')] } : { rcode: 2 },
    )
    const resolve = createResolver({ nameservers: [at(port)], hosts: noHosts })
    const options = { signal: new AbortController().signal, timeoutMs: 1000 }
    expect(await controlLookup('control.example', resolve, options)).toBe(true)
    expect(await controlLookup('other.example', resolve, options)).toBe(false)
  })
})

describe('resolv.conf', () => {
  it('gives nameservers, search list and ndots, with the defaults of the C library', () => {
    const text =
      '# c\nnameserver 10.0.0.1\nnameserver fd00::1 ; x\nnameserver bad\nsearch a.example b.example\noptions ndots:5 timeout:1\n'
    expect(parseResolvConf(text)).toEqual({
      nameservers: [
        { address: '10.0.0.1', port: 53 },
        { address: 'fd00::1', port: 53 },
      ],
      search: ['a.example', 'b.example'],
      ndots: 5,
    })
    expect(parseResolvConf('')).toEqual({ nameservers: [{ address: '127.0.0.1', port: 53 }], search: [], ndots: 1 })
  })
})
