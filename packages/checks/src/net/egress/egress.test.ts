import { networkInterfaces } from 'node:os'
import { connect as netConnect, Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { EgressPolicy } from '../../core/check-type.ts'
import { startDeadline } from '../deadline.ts'
import { createEgress, denialOf, type Connector, type EgressOptions, type EgressTarget } from './egress.ts'
import { guardedConnect, guardedConnector } from './guarded-socket.ts'
import { createHttpEngine } from '../http/http.ts'
import { TargetError } from '../target-error.ts'
import { neverReached, privateForms, publicForms } from '../../../test-support/address-forms.ts'
import { publicOnly, startTestServers, trusted } from '../../../test-support/servers.ts'

const servers = startTestServers()
afterEach(() => servers.closeAll())

/** A connector that sends nothing: it records the target and fails. */
function noPackets() {
  const reached: string[] = []
  const connect: Connector = ({ host }) => {
    reached.push(host)
    throw new Error('a packet would have been sent')
  }
  return { reached, connect }
}

async function connectThrough(
  options: EgressOptions,
  target: Partial<EgressTarget>,
  policy: EgressPolicy,
  limitMs = 3000,
) {
  const deadline = startDeadline(limitMs)
  try {
    const full = { host: '127.0.0.1', port: 80, family: 'IPv4' as const, ...target }
    return await createEgress(options).connect(full, policy, deadline)
  } finally {
    deadline.close()
  }
}

const codeFrom = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
    return 'connected'
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}

const addressIn = (host: string) => new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

describe('the egress guard', () => {
  it.each(neverReached)('never reaches %s, in either mode, and sends no packet', async (host) => {
    for (const policy of [trusted, publicOnly]) {
      const { connect, reached } = noPackets()
      const engine = createHttpEngine({ egress: createEgress({ connect }), now: Date.now })
      const deadline = startDeadline(3000)
      const { error, response } = await engine.send(
        {
          method: 'GET',
          url: new URL(`http://${host}/latest/meta-data`),
          headers: [],
          body: undefined,
          family: host.startsWith('[') ? 'IPv6' : 'IPv4',
          followRedirects: true,
          skipSSL: true,
        },
        policy,
        deadline,
      )
      deadline.close()
      expect(error).toMatchObject({ phase: 'egress', code: 'EGRESS_DENIED', network: false })
      expect(response).toBeUndefined()
      expect(reached).toEqual([])
    }
  })

  it.each(privateForms)('reaches %s only where private targets are allowed', (host) => {
    expect(denialOf(addressIn(host), 443, trusted)).toBeUndefined()
    expect(denialOf(addressIn(host), 443, publicOnly)).toContain('not reached from here')
  })

  it.each(publicForms)('reaches %s in both modes', (host) => {
    expect(denialOf(addressIn(host), 443, trusted)).toBeUndefined()
    expect(denialOf(addressIn(host), 443, publicOnly)).toBeUndefined()
  })

  it('takes text that is no address for forbidden', () => {
    for (const text of ['', 'localhost', '1.2.3', '0x7f000001', '1.2.3.4.5', 'fe80::1%eth0']) {
      expect(denialOf(text, 80, trusted)).toBeDefined()
    }
  })

  it('says which address is denied by which rule', async () => {
    const promise = connectThrough(noPackets(), { host: 'localhost', port: 6379 }, publicOnly)
    await expect(promise).rejects.toThrow(
      'not allowed to connect to localhost (127.0.0.1:6379): loopback addresses (127.0.0.0/8) are not reached from here',
    )
  })

  it('denies a name when any of its addresses is denied', async () => {
    const { connect, reached } = noPackets()
    const resolve = () => Promise.resolve(['1.1.1.1', '169.254.169.254'])
    expect(await codeFrom(connectThrough({ connect, resolve }, { host: 'mixed.example' }, trusted))).toBe(
      'EGRESS_DENIED',
    )
    expect(reached).toEqual([])
  })

  it('connects to the address it checked, not to what the name becomes afterwards', async () => {
    const answers = [['127.0.0.1'], ['169.254.169.254']]
    const port = await servers.tcp(() => undefined)
    const reached: string[] = []
    const connect: Connector = (options) => {
      reached.push(options.host)
      return netConnect(options)
    }
    const resolve = () => Promise.resolve(answers.shift() ?? [])
    const { socket } = await connectThrough({ connect, resolve }, { host: 'rebind.example', port }, trusted)
    socket.destroy()
    expect(reached).toEqual(['127.0.0.1'])
    expect(await codeFrom(connectThrough({ connect, resolve }, { host: 'rebind.example', port }, trusted))).toBe(
      'EGRESS_DENIED',
    )
    expect(reached).toEqual(['127.0.0.1'])
  })

  it('drops a connection whose peer is not who it should be', async () => {
    const port = await servers.tcp(() => undefined)
    let opened: Socket | undefined
    const connect: Connector = ({ port: wanted }) => {
      opened = netConnect({ host: '127.0.0.1', port: wanted })
      return opened
    }
    expect(await codeFrom(connectThrough({ connect }, { host: '1.1.1.1', port }, publicOnly))).toBe('EGRESS_DENIED')
    expect(opened?.destroyed).toBe(true)
  })

  it('tries the next address when one refuses', async () => {
    const port = await servers.tcp(() => undefined)
    const resolve = () => Promise.resolve(['127.0.0.2', '127.0.0.1'])
    const { socket, address } = await connectThrough({ resolve }, { host: 'two.example', port }, trusted)
    socket.destroy()
    expect(address).toBe('127.0.0.1')
  })

  it('judges all addresses of a name, and tries sixteen of them', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`)
    const tried: string[] = []
    const connect: Connector = ({ host }) => {
      tried.push(host)
      const socket = new Socket()
      queueMicrotask(() => socket.destroy(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })))
      return socket
    }
    const through = (addresses: string[]) =>
      codeFrom(
        connectThrough({ connect, resolve: () => Promise.resolve(addresses) }, { host: 'many.example' }, trusted),
      )
    expect(await through(many)).toBe('ECONNREFUSED')
    expect(tried).toEqual(many.slice(0, 16))
    expect(await through([...many, '169.254.169.254'])).toBe('EGRESS_DENIED')
    expect(tried.length).toBe(16)
  })

  it('keeps the chosen family, and falls back to IPv4 only where there is no IPv6', async () => {
    const port = await servers.tcp(() => undefined)
    const asked: string[] = []
    const resolve = (_: string, family: string) => {
      asked.push(family)
      if (family === 'IPv6') return Promise.reject(new TargetError('dns', 'DNS_NO_DATA', 'no IPv6'))
      return Promise.resolve(['127.0.0.1'])
    }
    const { socket, family } = await connectThrough({ resolve }, { host: 'v4.example', port, family: 'IPv6' }, trusted)
    socket.destroy()
    expect(family).toBe('IPv4')
    expect(asked).toEqual(['IPv6', 'IPv4'])
    const denied = connectThrough(
      { resolve: () => Promise.resolve(['fe80::1']) },
      { host: 'x.example', family: 'IPv6' },
      trusted,
    )
    expect(await codeFrom(denied)).toBe('EGRESS_DENIED')
  })

  it('does not fall back to IPv4 for trouble that has nothing to do with the family', async () => {
    const asked: string[] = []
    const resolve = (_: string, family: string) => {
      asked.push(family)
      return Promise.reject(new TargetError('dns', 'DNS_NXDOMAIN', 'gone'))
    }
    const promise = connectThrough({ resolve }, { host: 'gone.example', family: 'IPv6' }, trusted)
    expect(await codeFrom(promise)).toBe('DNS_NXDOMAIN')
    expect(asked).toEqual(['IPv6'])
  })

  it('takes hosts in every spelling of an IPv4 address', async () => {
    const port = await servers.tcp(() => undefined)
    for (const host of ['2130706433', '0x7f.1', '127.1', 'LOCALHOST', '::ffff:127.0.0.1']) {
      const { socket } = await connectThrough({}, { host, port }, trusted)
      socket.destroy()
    }
    expect(await codeFrom(connectThrough({}, { host: 'a b' }, trusted))).toBe('DNS_INVALID_NAME')
    expect(await codeFrom(connectThrough({}, { host: '127.0.0.1:80' }, trusted))).toBe('DNS_INVALID_NAME')
    expect(await codeFrom(connectThrough({}, { host: 'user@127.0.0.1' }, trusted))).toBe('DNS_INVALID_NAME')
  })
})

describe("Vedette's own listeners", () => {
  const denying = (address: string, port: number): EgressPolicy => ({
    privateTargets: true,
    deniedTargets: [{ address, port }],
  })
  const own = Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter(({ internal }) => !internal)
    .map(({ address }) => address)
  const loopbacks = ['127.0.0.1', '127.0.0.2', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::']

  it.each(loopbacks)('on any address or on loopback are not reached as %s', (address) => {
    for (const bound of ['0.0.0.0', '::', '127.0.0.1', '::1', 'localhost', '[::1]']) {
      expect(denialOf(address, 8080, denying(bound, 8080))).toBe('it belongs to Vedette itself')
      expect(denialOf(address, 8081, denying(bound, 8080))).toBeUndefined()
    }
  })

  it('on any address are not reached through an address of this machine', () => {
    for (const address of own) {
      expect(denialOf(address, 8080, denying('0.0.0.0', 8080))).toBeDefined()
      expect(denialOf(address, 8080, denying('::', 8080))).toBeDefined()
    }
    expect(denialOf('10.255.1.2', 8080, denying('0.0.0.0', 8080))).toBeUndefined()
  })

  it('on one address are not reached in any of its forms', () => {
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::a01:203', '2002:a01:203::']) {
      expect(denialOf(address, 5432, denying('10.1.2.3', 5432))).toBe('it belongs to Vedette itself')
    }
    expect(denialOf('10.1.2.4', 5432, denying('10.1.2.3', 5432))).toBeUndefined()
  })

  it('given by name are not reached by that name', async () => {
    const { connect, reached } = noPackets()
    const resolve = () => Promise.resolve(['10.9.9.9'])
    const promise = connectThrough(
      { connect, resolve },
      { host: 'DB.internal.', port: 5432 },
      denying('db.internal', 5432),
    )
    expect(await codeFrom(promise)).toBe('EGRESS_DENIED')
    expect(reached).toEqual([])
  })
})

describe('sockets for notifications', () => {
  it('connect through the guard within their deadline', async () => {
    const port = await servers.tcp((socket) => void socket.write('hello'))
    const socket = await guardedConnect('localhost', port, trusted, { limitMs: 2000 })
    const data = await new Promise((resolve) => socket.once('data', (chunk: Buffer) => resolve(chunk.toString())))
    socket.destroy()
    expect(data).toBe('hello')
    const denied = guardedConnect('localhost', port, publicOnly, { limitMs: 2000 })
    expect(await codeFrom(denied)).toBe('EGRESS_DENIED')
    expect(await codeFrom(guardedConnect('localhost', port, trusted, { limitMs: 0 }))).toMatch(/TIME/)
  })

  it('fit the connect hook of an HTTP client', async () => {
    const port = await servers.tcp(() => undefined)
    const connected = await new Promise((resolve) => {
      guardedConnector(trusted)({ hostname: '127.0.0.1', protocol: 'http:', port: String(port) }, (error, socket) => {
        socket?.destroy()
        resolve(error ?? 'connected')
      })
    })
    expect(connected).toBe('connected')
    const refused = await new Promise((resolve) => {
      guardedConnector(publicOnly)({ hostname: '127.0.0.1', protocol: 'https:', port }, (error) => resolve(error))
    })
    expect(refused).toMatchObject({ code: 'EGRESS_DENIED' })
  })
})
