import type { NetworkInterfaceInfo } from 'node:os'
import { Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '@vedette/wire'
import { createApiRun } from '../../api/run.ts'
import { completeApiRequest } from '../../api/request-shape.ts'
import { createResolver, type Resolve } from '../dns/dns.ts'
import { TargetError } from '../target-error.ts'
import { startTestServers, trusted } from '../../../test-support/servers.ts'
import { createEgress, type EgressOptions } from './egress.ts'
import type { Interfaces } from './own-network.ts'

const servers = startTestServers()
afterEach(() => servers.closeAll())

const entry = (address: string, internal = false) =>
  ({ address, internal, family: address.includes(':') ? 'IPv6' : 'IPv4' }) as NetworkInterfaceInfo
const loopback = [entry('127.0.0.1', true), entry('::1', true)]
const machine =
  (...addresses: string[]): Interfaces =>
  () => ({ lo: loopback, eth0: addresses.map((address) => entry(address)) })

const none = machine()
const linkLocalOnly = machine('169.254.7.7', 'fe80::1')
const ipv4Only = machine('192.168.1.7', 'fe80::1')
const containerIPv6 = machine('172.17.0.2', 'fd00:abcd::2')
const both = machine('192.168.1.7', '2606:4700::7')

/** A connector that fails with an error of the operating system, without sending a packet. */
const failing = (codes: Record<string, string> | string) => (options: { host: string }) => {
  const socket = new Socket()
  const code = typeof codes === 'string' ? codes : (codes[options.host] ?? 'ECONNREFUSED')
  queueMicrotask(() => socket.destroy(Object.assign(new Error(`connect ${code}`), { code })))
  return socket
}

async function runTo(url: string, options: EgressOptions, ipFamily: 'IPv4' | 'IPv6' = 'IPv4') {
  const run = createApiRun(createEgress(options))
  const { error, internalError } = await run(
    { request: completeApiRequest({ url, ipFamily }) },
    {
      signal: new AbortController().signal,
      deadline: performance.now() + 1500,
      egress: trusted,
      variables: [],
      clock: systemClock,
      random: Math.random,
    },
  )
  return { error: error?.code, internalError: internalError?.code, text: internalError?.text }
}
const ours = (code: string) => ({ error: undefined, internalError: code })
const theirs = (code: string) => ({ error: code, internalError: undefined })

describe('a target that cannot be reached', () => {
  it.each([
    ['ENETUNREACH', none],
    ['EHOSTUNREACH', none],
    ['EADDRNOTAVAIL', none],
    ['ENETUNREACH', linkLocalOnly],
  ])('is not known (%s) on a machine without network', async (code, interfaces) => {
    const found = await runTo('http://203.0.113.9/', { connect: failing(code), interfaces })
    expect(found).toMatchObject(ours('NO_NETWORK'))
    expect(found.text).toMatch(/^No connection to 203\.0\.113\.9:80 was possible: this machine has no network/)
  })

  it.each(['ENETUNREACH', 'EHOSTUNREACH'])(
    'fails (%s) when the machine has a network that leads there',
    async (code) => {
      const options = { connect: failing(code), interfaces: ipv4Only }
      expect(await runTo('http://203.0.113.9/', options)).toMatchObject(theirs(code))
    },
  )

  it('is not known when only its family is missing here', async () => {
    const options = { connect: failing('ENETUNREACH'), interfaces: ipv4Only }
    expect(await runTo('http://[2606:4700::9]/', options)).toMatchObject(ours('NO_NETWORK'))
    const inContainer = { connect: failing('ENETUNREACH'), interfaces: containerIPv6 }
    expect(await runTo('http://[2606:4700::9]/', inContainer)).toMatchObject(ours('NO_NETWORK'))
    const withIPv6 = { connect: failing('ENETUNREACH'), interfaces: both }
    expect(await runTo('http://[2606:4700::9]/', withIPv6)).toMatchObject(theirs('ENETUNREACH'))
  })

  it('fails when it is this machine itself', async () => {
    const options = { connect: failing('EADDRNOTAVAIL'), interfaces: none }
    expect(await runTo('http://[::1]/', options)).toMatchObject(theirs('EADDRNOTAVAIL'))
  })

  it.each(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT'])(
    'fails when it answers with %s, whatever we have',
    async (code) => {
      expect(await runTo('http://203.0.113.9/', { connect: failing(code), interfaces: none })).toMatchObject(
        theirs(code),
      )
    },
  )

  it('is not known when this machine has no descriptors, ports or buffers left', async () => {
    for (const code of ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL']) {
      const options = { connect: failing(code), interfaces: both }
      expect(await runTo('http://203.0.113.9/', options)).toMatchObject(ours('NO_RESOURCES'))
    }
  })

  it('is judged by the address that said something', async () => {
    const resolve: Resolve = () => Promise.resolve(['203.0.113.9', '203.0.113.10'])
    const connect = failing({ '203.0.113.9': 'ECONNREFUSED', '203.0.113.10': 'ENETUNREACH' })
    expect(await runTo('http://shop.example/', { connect, resolve, interfaces: none })).toMatchObject(
      theirs('ECONNREFUSED'),
    )
  })
})

describe('a check over IPv6 on a machine without it', () => {
  const noAnswer = new TargetError('dns', 'DNS_NO_DATA', 'no such address')
  const resolveTo =
    (addresses: Partial<Record<string, string>>): Resolve =>
    (_, family) => {
      const address = addresses[family]
      return address === undefined ? Promise.reject(noAnswer) : Promise.resolve([address])
    }

  it('falls back to IPv4, whose answer counts', async () => {
    const connect = failing({ '2606:4700::9': 'ENETUNREACH', '203.0.113.9': 'ECONNREFUSED' })
    const resolve = resolveTo({ IPv6: '2606:4700::9', IPv4: '203.0.113.9' })
    const found = await runTo('http://shop.example/', { connect, resolve, interfaces: ipv4Only }, 'IPv6')
    expect(found).toMatchObject(theirs('ECONNREFUSED'))
  })

  it('is not known when the target has IPv6 addresses only', async () => {
    const options = { connect: failing('ENETUNREACH'), resolve: resolveTo({ IPv6: '2606:4700::9' }) }
    const found = await runTo('http://shop.example/', { ...options, interfaces: ipv4Only }, 'IPv6')
    expect(found).toMatchObject(ours('NO_NETWORK'))
  })
})

describe('a look-up', () => {
  const resolverAt = (port: number) =>
    createResolver({ nameservers: [{ address: '127.0.0.1', port }], hosts: new Map() })

  it('without an answer is not known on a machine without network, and fails on others', async () => {
    const port = await servers.dns(() => ({ rcode: 2 }))
    const resolve = resolverAt(port)
    expect(await runTo('http://shop.example/', { resolve, interfaces: none })).toMatchObject(ours('NO_NETWORK'))
    expect(await runTo('http://shop.example/', { resolve, interfaces: ipv4Only })).toMatchObject(
      theirs('DNS_SERVER_FAILURE'),
    )
  })

  it('that times out is not known on a machine without network', async () => {
    const resolve: Resolve = () => new Promise(() => undefined)
    expect(await runTo('http://shop.example/', { resolve, interfaces: none })).toMatchObject(ours('NO_NETWORK'))
  })

  it('that says no is a no, even on a machine without network', async () => {
    const port = await servers.dns(() => ({ rcode: 3 }))
    const found = await runTo('http://shop.example/', { resolve: resolverAt(port), interfaces: none })
    expect(found).toMatchObject(theirs('DNS_NXDOMAIN'))
  })
})
